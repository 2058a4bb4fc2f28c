import { useApp } from '../../chat/parts/context';
import type { AgentView } from '../../shared/contract';
import { type EditorSection, type Field, fieldsOf } from '../../shared/manage/team/fields';
import { isKey } from '../../shared/texts';
import { AreaField, NumberField, TextField } from './TextFields';
import { BrowserState } from './BrowserState';
import { ChoiceField } from './ChoiceField';
import { DesktopState } from './DesktopState';
import { LinesField } from './LinesField';
import { MemoryLinks } from './MemoryLinks';
import { RouteField, RoutesField } from './RoutesField';
import { SchedulesField } from './SchedulesField';
import { ScriptStoreLink } from './ScriptStoreLink';
import { ShellTry } from './ShellTry';
import { TelegramField } from './TelegramField';
import { TicksField } from './TicksField';
import { ToolsField } from './ToolsField';

const CONTROLS: Record<Field['kind'], (props: { field: Field }) => JSX.Element> = {
  text: TextField,
  area: AreaField,
  file: AreaField,
  number: NumberField,
  choice: ChoiceField,
  switch: ChoiceField,
  lines: LinesField,
  patterns: LinesField,
  routes: RoutesField,
  route: RouteField,
  tools: ToolsField,
  ticks: TicksField,
  schedules: SchedulesField,
  telegram: TelegramField
};

/** What stands before the fields of a section, and behind them. */
const BEFORE: Partial<Record<EditorSection, () => JSX.Element | null>> = { browser: BrowserState, desktop: DesktopState };
const BEHIND: Partial<Record<EditorSection, () => JSX.Element | null>> = { script: ScriptStoreLink, shell: ShellTry, memory: MemoryLinks };

/** One section of the editor. */
export function Section({ section, agent }: { section: EditorSection; agent: AgentView }): JSX.Element {
  const { t } = useApp();
  const says: string = `team.section.${section}.says`;
  const Before = BEFORE[section];
  const Behind = BEHIND[section];
  return (
    <section className="crew-part" data-part={section} aria-labelledby={`crew-part-${section}`}>
      <h2 id={`crew-part-${section}`} tabIndex={-1}>
        {t(`team.section.${section}`)}
      </h2>
      {isKey(says) ? <p className="crew-sm crew-2">{t(says)}</p> : null}
      {Before ? <Before /> : null}
      {fieldsOf(section, agent).map(field => {
        const Control = CONTROLS[field.kind];
        return <Control key={field.key} field={field} />;
      })}
      {Behind ? <Behind /> : null}
    </section>
  );
}
