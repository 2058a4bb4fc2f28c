import { useApp } from '../parts/context';
import { Switch } from '../parts/controls';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';
import { Line } from '../parts/pop';
import { plainName } from '../thread/tool-words';

const EXPORT = 'crewlab:export-conversation';

/** Autonomous, the always-allowed tools with a way to take them back, export (UI-20). */
export function OptionsCard(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const conversation = useSelect(app.conversation, state => state.view.conversation);
  const failure = useSelect(app.conversation, state => state.patchFailure);
  const allowed = conversation?.auto_approve ?? [];
  return (
    <>
      <Line icon="approvals" label={t('options.autonomous')}>
        <Switch on={conversation?.autonomous ?? false} label={t('options.autonomous')} onChange={on => void app.conversation.patch({ autonomous: on })} />
      </Line>
      <div className="sub crew-sm crew-2">{t('options.autonomous_hint')}</div>
      <div className="hr" />
      <div className="crew-sec">{t('options.always')}</div>
      {allowed.length === 0 ? <div className="pad crew-sm crew-2">{t('options.none')}</div> : null}
      {allowed.map(tool => (
        <Line key={tool} icon="tools" label={plainName(tool)}>
          <button
            type="button"
            className="crew-link"
            aria-label={t('options.revoke_tool', { tool: plainName(tool) })}
            onClick={() => void app.conversation.patch({ auto_approve: allowed.filter(other => other !== tool) })}
          >
            {t('options.revoke')}
          </button>
        </Line>
      ))}
      {failure ? (
        <div className="pad crew-sm crew-t-error" role="alert">
          {t('options.not_saved', { message: failure.message })}
        </div>
      ) : null}
      {app.has(EXPORT) && conversation ? (
        <div className="acts">
          <button type="button" className="crew-btn small" onClick={() => app.execute(EXPORT, { id: conversation.id })}>
            <Icon name="download" size="s" />
            {t('options.export')}
          </button>
        </div>
      ) : null}
    </>
  );
}
