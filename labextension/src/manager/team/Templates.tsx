import { useApp } from '../../chat/parts/context';
import { useSelect, useStore } from '../../chat/parts/hooks';
import type { TemplateView } from '../../shared/contract';
import { useManager } from '../app';
import { ActFailure, Region } from '../parts/page';

/** Roles that come along: what each is and brings, and one click to install it (UI-85, AGT-27). */
export function Templates(): JSX.Element {
  const { t } = useApp();
  const { team } = useManager().manager;
  const state = useStore(team.templates);
  const installed = useSelect(team, one => one.installed);
  return (
    <>
      <h2 className="crew-listhead">{t('team.templates')}</h2>
      {installed ? (
        <p className="crew-sm crew-2 said" role="status">
          {installed.installed.length > 0 ? t('team.joined', { names: installed.installed.join(', ') }) : t('team.none_joined')}
        </p>
      ) : null}
      <Region state={state} has={state.data !== null} rows={3} retry={() => void team.templates.load()}>
        <ul>
          {state.data?.templates.map(template => (
            <Row key={template.id} template={template} known={state.data?.templates ?? []} />
          ))}
        </ul>
      </Region>
    </>
  );
}

function Row({ template, known }: { template: TemplateView; known: readonly TemplateView[] }): JSX.Element {
  const { t } = useApp();
  const { team } = useManager().manager;
  const act = `install ${template.id}`;
  const busy = useSelect(team.acts, state => state.busy.has(act));
  const failure = useSelect(team.acts, state => state.failures[act] ?? null);
  const names = template.brings.map(id => known.find(one => one.id === id)?.name ?? id);
  return (
    <li className="crew-template">
      <div className="row">
        <div className="crew-grow">
          <div>{template.name}</div>
          <div className="crew-sm crew-2 says" title={template.description}>
            {template.description}
          </div>
          <div className="crew-sm crew-2">{t('team.brings', { names: [...names, t('team.skills')].join(', ') })}</div>
        </div>
        {template.installed ? (
          <span className="crew-label">{t('team.installed')}</span>
        ) : (
          <button type="button" className="crew-btn small" aria-label={t('team.install_of', { name: template.name })} disabled={busy} onClick={() => void team.install(template.id)}>
            {t('team.install')}
          </button>
        )}
      </div>
      {failure ? <ActFailure text={t('team.not_installed', { message: failure.message })} /> : null}
    </li>
  );
}
