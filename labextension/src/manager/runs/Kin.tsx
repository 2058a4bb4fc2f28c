import { useEffect } from 'react';
import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import type { Run } from '../../shared/contract';
import { childIds } from '../../shared/manage/kin';
import { useManager } from '../app';
import { RunRow } from './RunRow';

/** The run whose call opened this one, and the runs that its own calls opened (UI-73). */
export function RunKin({ run }: { run: Run }): JSX.Element {
  const { t } = useApp();
  const source = useManager().manager.runs.kin(run.id);
  const { data } = useStore(source);
  const opened = childIds(run).join();
  useEffect(() => void source.load(), [source, opened, run.status]);
  return (
    <>
      <Runs title={t('runs.parent')} runs={data?.parent ? [data.parent] : []} />
      <Runs title={t('runs.children')} runs={data?.children ?? []} />
    </>
  );
}

function Runs({ title, runs }: { title: string; runs: readonly Run[] }): JSX.Element | null {
  return runs.length === 0 ? null : (
    <>
      <h3 className="crew-listhead">{title}</h3>
      <ul className="crew-card crew-runs" aria-label={title}>
        {runs.map(run => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
    </>
  );
}
