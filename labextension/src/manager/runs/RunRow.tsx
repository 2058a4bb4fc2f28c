import { memo } from 'react';
import { isOpen, runMs } from '../../chat/activity/words';
import { Avatar } from '../../chat/parts/avatar';
import { Bead } from '../../chat/parts/bead';
import { useApp } from '../../chat/parts/context';
import { duration, price } from '../../chat/parts/figures';
import { useNow, useStore } from '../../chat/parts/hooks';
import { useAgent } from '../../chat/thread/useAgent';
import type { Run } from '../../shared/contract';
import { useManager } from '../app';
import { moment } from '../parts/when';
import { useTitles } from './useTitles';
import { beadOf, sourceWords, stateWords, titleOf } from './words';

/** One run: who, what it is about, how it stands, how long and how dear. With `seen` it can be put away. */
export const RunRow = memo(function RunRow({ run, seen }: { run: Run; seen?: boolean }): JSX.Element {
  const { t } = useApp();
  const { manager } = useManager();
  const agent = useAgent(run.agent_id);
  const title = titleOf(run, useTitles(), t);
  const now = useNow(isOpen(run));
  const chosen = useStore(manager.place).rest === run.id;
  const bead = beadOf(run);
  const from = t('runs.from', { source: sourceWords(run, t), time: moment(run.started_at, now, t) });
  const state = `${stateWords(run, t)}, ${from}`;
  return (
    <li className={chosen ? 'crew-runrow on' : 'crew-runrow'}>
      <button type="button" className="line" aria-current={chosen ? 'true' : undefined} onClick={() => manager.go('activity', run.id)}>
        <span className="mark">{bead ? <Bead kind={bead} free /> : null}</span>
        <Avatar id={agent.id} name={agent.name} />
        <span className="words">
          <span className="crew-ell" title={title}>
            {title}
          </span>
          <span className={run.status === 'error' ? 'crew-ell crew-xs crew-t-error' : 'crew-ell crew-xs crew-2'} title={state}>
            <span className="crew-hidden">{agent.name}, </span>
            {state}
          </span>
        </span>
        {seen ? null : (
          <span className="figs crew-sm crew-2 crew-num">
            <span>{duration(runMs(run, now), t)}</span>
            <span>{run.cost_usd > 0 || run.unknown_cost_calls > 0 ? price(run.cost_usd > 0 ? run.cost_usd : null, t, run.estimated_cost_calls > 0) : ''}</span>
          </span>
        )}
      </button>
      {seen ? (
        <button type="button" className="crew-btn small" aria-label={t('runs.seen_of', { title })} onClick={() => manager.runs.markSeen(run.id)}>
          {t('runs.seen')}
        </button>
      ) : null}
    </li>
  );
});
