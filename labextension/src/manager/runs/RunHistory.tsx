import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import { ENDS, isSet, shown, SOURCES } from '../../shared/manage/runs';
import { useManager } from '../app';
import { Empty } from '../parts/page';
import { Pick, PickAgent } from '../parts/pick';
import { RunRow } from './RunRow';

/** The stored history, filtered, and read further back (UI-79). */
export function RunHistory(): JSX.Element {
  const { t } = useApp();
  const { runs } = useManager().manager;
  const state = useStore(runs);
  const rows = shown(state);
  const filtered = isSet(state);
  return (
    <>
      <div className="crew-sechead">
        <h2 className="crew-listhead">{t('runs.history')}</h2>
        <PickAgent value={state.agent} onPick={agent => void runs.filter({ agent })} />
        <Pick
          label={t('runs.ended')}
          all={t('runs.any_end')}
          value={state.end}
          options={ENDS.map(value => ({ value, text: t(`runs.end.${value}`) }))}
          onPick={end => void runs.filter({ end })}
        />
        <Pick
          label={t('runs.source')}
          all={t('runs.any_source')}
          value={state.source}
          options={SOURCES.map(value => ({ value, text: t(`runs.source.${value}`) }))}
          onPick={source => void runs.filter({ source })}
        />
      </div>
      {rows.length === 0 ? (
        <Empty>{t(filtered || state.runs.length > 0 ? 'runs.none_found' : 'runs.none')}</Empty>
      ) : (
        <ul className="crew-card crew-runs">
          {rows.map(run => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      {state.more ? (
        <button type="button" className="crew-btn small crew-moreruns" onClick={() => void runs.loadMore()}>
          {t('manage.more')}
        </button>
      ) : null}
    </>
  );
}
