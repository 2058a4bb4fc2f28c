import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import { Icon } from '../../chat/parts/icon';
import type { AgentView } from '../../shared/contract';
import type { Translate } from '../../shared/texts';
import { sectionsWith } from '../../shared/manage/team/errors';
import type { Draft } from '../../shared/manage/team/store';
import { useManager } from '../app';

/** What a save would write, why the last one failed, and the two buttons (guide section 8). */
export function SaveBar({ agent, onSave }: { agent: AgentView; onSave: () => void }): JSX.Element {
  const { t } = useApp();
  const { team } = useManager().manager;
  const draft = useSelect(team, () => team.draft(agent.id));
  const dirty = useSelect(team, () => team.dirty(agent));
  const failed = failureWords(draft, t);
  return (
    <footer className="crew-savebar">
      <span className={failed === null ? 'crew-sm crew-2 said' : 'crew-sm crew-t-error said'} role="status">
        {failed === null ? null : <Icon name="warning" size="s" />}
        {failed ?? t(dirty ? 'team.not_saved_yet' : 'team.all_saved')}
      </span>
      <button type="button" className="crew-btn" disabled={!dirty || draft.saving} onClick={() => team.discard(agent.id)}>
        {t('team.discard')}
      </button>
      <button type="button" className="crew-btn primary" disabled={!dirty || draft.saving} aria-busy={draft.saving || undefined} onClick={onSave}>
        {t('memory.save')}
      </button>
    </footer>
  );
}

/** "Not saved: 1 field needs a change, under Limits", or why nothing could be saved at all. */
function failureWords({ failure, errors }: Draft, t: Translate): string | null {
  if (failure === null) {
    return null;
  }
  const sections = sectionsWith(errors);
  if (sections.length === 0) {
    return t('team.not_saved', { message: failure.message });
  }
  return t('team.fields_wrong', { n: Object.keys(errors).length, sections: sections.map(one => t(`team.section.${one}`)).join(', ') });
}
