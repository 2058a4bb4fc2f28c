import { useApp } from '../../chat/parts/context';
import { Icon } from '../../chat/parts/icon';
import type { Section } from '../../shared/manage/place';
import { useManager } from '../app';

/** A row of a summary: what it is, its value, and the way to the section where it is changed. */
export function Leads({ name, section, children }: { name: string; section: Section; children: string }): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const where = t(`manage.section.${section}`);
  return (
    <div className="crew-line crew-leads">
      <span>{name}</span>
      <span className="v">{children}</span>
      <button type="button" className="crew-btn small" title={where} aria-label={`${t('settings.go', { section: where })}: ${name}`} onClick={() => manager.go(section)}>
        <span className="where">{where}</span>
        <Icon name="chevron" size="s" />
      </button>
    </div>
  );
}
