import { useStore } from '../../chat/parts/hooks';
import { useApp } from '../../chat/parts/context';
import { running } from '../../shared/manage/runs';
import { useManager } from '../app';
import { Empty, Page, Region } from '../parts/page';
import { NeedsYou } from './NeedsYou';
import { RunHistory } from './RunHistory';
import { RunPage } from './RunPage';
import { RunRow } from './RunRow';

/** What needs a person, what runs, what ran; one run beside it, or in its place with a way back (UI-79, UI-69). */
export function ActivityPage({ beside }: { beside: boolean }): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const { rest } = useStore(manager.place);
  if (rest !== null && !beside) {
    return (
      <section className="crew-page" aria-label={t('manage.section.activity')}>
        <div className="in">
          <button type="button" className="crew-link crew-back" onClick={() => manager.go('activity')}>
            {t('runs.back')}
          </button>
          <RunPage key={rest} id={rest} />
        </div>
      </section>
    );
  }
  return (
    <div className={beside ? 'crew-two' : 'crew-one'}>
      <Runs />
      {beside ? (
        <div className="crew-page beside">
          <div className="in">{rest === null ? <Empty>{t('runs.choose')}</Empty> : <RunPage key={rest} id={rest} />}</div>
        </div>
      ) : null}
    </div>
  );
}

function Runs(): JSX.Element {
  const { t } = useApp();
  const { runs } = useManager().manager;
  const state = useStore(runs);
  const open = running(state);
  return (
    <Page title={t('manage.section.activity')}>
      <Region state={state} has={state.runs.length > 0 || state.loading === 'ready'} retry={() => void runs.load()}>
        <NeedsYou />
        {open.length > 0 ? (
          <>
            <h2 className="crew-listhead">{t('runs.running')}</h2>
            <ul className="crew-card crew-runs">
              {open.map(run => (
                <RunRow key={run.id} run={run} />
              ))}
            </ul>
          </>
        ) : null}
        <RunHistory />
      </Region>
    </Page>
  );
}
