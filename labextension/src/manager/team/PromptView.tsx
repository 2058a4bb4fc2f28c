import { useEffect } from 'react';
import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import type { AgentView } from '../../shared/contract';
import { useManager } from '../app';
import { Empty, Region } from '../parts/page';
import { EditorHead } from './EditorHead';

/** The whole system prompt as it is assembled now, and the opening block (UI-92, TURN-79). */
export function PromptView({ agent }: { agent: AgentView }): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const source = manager.team.prompt(agent.id);
  const state = useStore(source);
  useEffect(() => void source.load(), [source]);
  return (
    <article className="crew-editor" aria-label={t('team.prompt_of', { name: agent.name })}>
      <EditorHead agent={agent} />
      <div className="form prompt">
        <button type="button" className="crew-link" onClick={() => manager.go('team', agent.id)}>
          {t('team.to_profile')}
        </button>
        <Region state={state} has={state.data !== null} retry={() => void source.load()}>
          {state.data ? (
            <>
              <Text title={t('team.prompt')} text={state.data.prompt} chars={state.data.prompt_chars} />
              <p className="crew-sm crew-2">{t('team.opening_says')}</p>
              {state.data.opening === '' ? <Empty>{t('team.no_opening')}</Empty> : <Text title={t('team.opening')} text={state.data.opening} chars={state.data.opening_chars} />}
            </>
          ) : null}
        </Region>
      </div>
    </article>
  );
}

function Text({ title, text, chars }: { title: string; text: string; chars: number }): JSX.Element {
  const app = useApp();
  const { t } = app;
  return (
    <section aria-label={title}>
      <div className="crew-sechead">
        <h3>{title}</h3>
        <span className="crew-sm crew-2 crew-num">{t('team.chars', { n: chars })}</span>
        <button type="button" className="crew-btn small" aria-label={t('team.copy_of', { name: title })} onClick={() => void app.copy(text)}>
          {t('team.copy')}
        </button>
      </div>
      <pre className="crew-code crew-whole" tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </section>
  );
}
