import { useApp } from '../../chat/parts/context';
import { useStore } from '../../chat/parts/hooks';
import { useManager } from '../app';
import { Empty, Page, Region } from '../parts/page';
import { JobRow } from './JobRow';

const WIDTH = 1120; // guide section 2

/** Everything that runs by the clock (UI-95). */
export function JobsPage(): JSX.Element {
  const { t } = useApp();
  const { jobs } = useManager().manager;
  const state = useStore(jobs);
  const list = state.data;
  return (
    <Page title={t('manage.section.jobs')} width={WIDTH} note={list ? t('jobs.zone', { zone: list.timezone }) : null}>
      <Region state={state} has={list !== null} retry={() => void jobs.load()}>
        {list && list.jobs.length > 0 ? (
          <ul className="crew-card crew-jobs">
            {list.jobs.map(job => (
              <JobRow key={job.id} job={job} />
            ))}
          </ul>
        ) : (
          <Empty>{t('jobs.none')}</Empty>
        )}
      </Region>
    </Page>
  );
}
