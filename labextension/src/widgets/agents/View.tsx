import { useMemo, useRef, useState } from 'react';
import { Avatar } from '../../chat/parts/avatar';
import { AppProvider, useApp } from '../../chat/parts/context';
import { age, price } from '../../chat/parts/figures';
import { useNow, useStore } from '../../chat/parts/hooks';
import { moment } from '../../manager/parts/when';
import { failureOf } from '../../shared/api';
import type { Run } from '../../shared/contract';
import type { Translate } from '../../shared/texts';
import { appOf, languageOf, lasting } from '../live/app';
import type { LiveModel } from '../live/model';
import { Still, Waiting } from '../live/Still';
import type { Row, RunHead, Shown } from './state';

const COLUMNS = 7;

/** The crew as a table; a row opens the agent's runs (UI-155). */
export function View({ model }: { model: LiveModel<Shown> }): JSX.Element {
  const snapshot = useStore(model);
  const parts = useMemo(() => lasting(model), [model]);
  const language = languageOf(snapshot.state);
  const app = useMemo(() => appOf(parts, language), [parts, language]);
  return (
    <AppProvider value={app}>
      <section className="crew-card" lang={language} aria-label={app.t('agents.title')}>
        <Still snapshot={snapshot} t={app.t} />
        {snapshot.state === null ? <Waiting snapshot={snapshot} t={app.t} /> : <Table model={model} state={snapshot.state} off={snapshot.kernel !== 'live'} />}
      </section>
    </AppProvider>
  );
}

function Table({ model, state, off }: { model: LiveModel<Shown>; state: Shown; off: boolean }): JSX.Element {
  const { t } = useApp();
  const [selected, select] = useSelected(model);
  return (
    <div className="crew-scrollx" tabIndex={0} role="region" aria-label={t('agents.title')}>
      <table className="crew-table agents">
        <thead>
          <tr>
            <th scope="col">
              <span className="crew-hidden">{t('agents.choose')}</span>
            </th>
            <th scope="col">{t('manage.agent')}</th>
            <th scope="col">{t('agents.mode')}</th>
            <th scope="col">{t('agents.now')}</th>
            <th scope="col" className="r">
              {t('agents.week')}
            </th>
            <th scope="col">{t('agents.next')}</th>
            <th scope="col" className="r">
              {t('agents.tools')}
            </th>
          </tr>
        </thead>
        <tbody>
          {state.agents.map(row => (
            <AgentRow key={row.id} {...{ model, row, off }} live={state.live.filter(run => run.agent_id === row.id)} chosen={selected.includes(row.id)} choose={on => select(on ? [...selected, row.id] : selected.filter(id => id !== row.id))} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  model: LiveModel<Shown>;
  row: Row;
  live: readonly RunHead[];
  off: boolean;
  chosen: boolean;
  choose: (on: boolean) => void;
}

function AgentRow({ model, row, live, off, chosen, choose }: RowProps): JSX.Element {
  const { t } = useApp();
  const now = useNow(false);
  const [open, setOpen] = useState<'runs' | 'tools' | null>(null);
  const turn = (what: 'runs' | 'tools'): void => setOpen(open === what ? null : what);
  return (
    <>
      <tr className={chosen ? 'on' : undefined}>
        <td>
          <input type="checkbox" checked={chosen} disabled={off} aria-label={t('agents.choose_one', { agent: row.name })} onChange={event => choose(event.target.checked)} />
        </td>
        <th scope="row">
          <button type="button" className="crew-link who" aria-expanded={open === 'runs'} disabled={off && open !== 'runs'} title={row.description} onClick={() => turn('runs')}>
            <Avatar id={row.id} name={row.name} />
            <span>{row.name}</span>
          </button>
        </th>
        <td>
          {t(`agents.mode.${row.mode}`)}
          {row.live ? <span className="crew-label">{t('agents.live')}</span> : null}
        </td>
        <td>{nowWords(live, t)}</td>
        <td className="r crew-num">{weekWords(row, t)}</td>
        <td className="crew-2">{row.next ? `${row.next.name}, ${moment(row.next.at, now, t)}` : ''}</td>
        <td className="r">
          <button type="button" className="crew-link crew-num" aria-expanded={open === 'tools'} aria-label={t('agents.tools_of', { n: row.tools.length, agent: row.name })} onClick={() => turn('tools')}>
            {row.tools.length}
          </button>
        </td>
      </tr>
      {open ? (
        <tr className="detail">
          <td colSpan={COLUMNS}>{open === 'tools' ? <div className="crew-mono tools">{row.tools.join(' ')}</div> : <Runs model={model} agent={row.id} />}</td>
        </tr>
      ) : null}
    </>
  );
}

const OPEN = 'crewlab:open-run';

/** The newest runs of an agent, read when they are opened. */
function Runs({ model, agent }: { model: LiveModel<Shown>; agent: string }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const now = useNow(false);
  const [runs, setRuns] = useState<readonly RunHead[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const asked = useRef(false);
  if (!asked.current) {
    asked.current = true;
    model.ask('runs', { agent }).then(
      found => setRuns((found as { runs: RunHead[] }).runs),
      (error: unknown) => setFailure(failureOf(error).message || t('widgets.kernel_away'))
    );
  }
  if (failure !== null) {
    return <div className="crew-sm crew-t-error" role="alert">{t('widgets.not_read', { message: failure })}</div>;
  }
  if (runs === null) {
    return <div className="crew-sm crew-2">{t('widgets.loading')}</div>;
  }
  return runs.length === 0 ? (
    <div className="crew-sm crew-2">{t('agents.no_runs')}</div>
  ) : (
    <ul className="runs">
      {runs.map(run => (
        <li key={run.id}>
          {app.has(OPEN) ? (
            <button type="button" className="crew-link crew-ell" onClick={() => app.execute(OPEN, { id: run.id })}>
              {run.label || run.summary || run.id}
            </button>
          ) : (
            <span className="crew-ell">{run.label || run.summary || run.id}</span>
          )}
          <span className="crew-sm crew-2">{t(`agents.status.${run.status}`)}</span>
          <span className="crew-sm crew-2 crew-num">{age(run.started_at, now, t)}</span>
          <span className="crew-sm crew-num">{runPrice(run, t)}</span>
        </li>
      ))}
    </ul>
  );
}

function runPrice(run: Pick<Run, 'cost_usd' | 'unknown_cost_calls' | 'estimated_cost_calls'>, t: Translate): string {
  const known = price(run.cost_usd, t, run.estimated_cost_calls > 0);
  return run.unknown_cost_calls === 0 ? known : run.cost_usd > 0 ? t('timeline.unknown', { cost: known, n: run.unknown_cost_calls }) : price(null, t);
}

function nowWords(live: readonly RunHead[], t: Translate): string {
  const waiting = live.filter(run => run.status === 'waiting').length;
  const working = live.length - waiting;
  return [working > 0 ? t('agents.working', { n: working }) : '', waiting > 0 ? t('agents.waiting', { n: waiting }) : ''].filter(part => part !== '').join(', ');
}

/** Spending of the last seven days; unknown prices are said, never taken for 0. */
function weekWords({ week }: Row, t: Translate): string {
  if (week === null) {
    return '–';
  }
  const known = price(week.cost_usd, t, week.estimated > 0);
  return week.unknown === 0 ? known : week.cost_usd > 0 ? t('timeline.unknown', { cost: known, n: week.unknown }) : price(null, t);
}

/** The chosen rows: kept in the kernel, where Python reads them (UI-162). */
function useSelected(model: LiveModel<Shown>): [readonly string[], (ids: readonly string[]) => void] {
  const [selected, set] = useState<readonly string[]>(() => idsOf(model.trait('selected', value => set(idsOf(value)))));
  const select = (ids: readonly string[]): void => {
    set(ids);
    model.ask('select', { agents: ids }).catch(() => undefined); // without a kernel the boxes are off
  };
  return [selected, select];
}

function idsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
