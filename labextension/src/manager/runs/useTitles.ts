import { useMemo } from 'react';
import { useApp } from '../../chat/parts/context';
import { useManager } from '../app';
import { useSelect } from '../../chat/parts/hooks';

/** The titles of the conversations that are known, by id, and the names of the schedules by their source. */
export function useTitles(): ReadonlyMap<string, string> {
  const app = useApp();
  const listed = useSelect(app.list, state => state.conversations);
  const heard = useSelect(app.activity, state => state.view.conversations);
  const jobs = useSelect(useManager().manager.jobs, state => state.data);
  return useMemo(() => {
    const titles = new Map(listed.map(one => [one.id, one.title] as const));
    for (const [id, record] of Object.entries(heard)) {
      if (record) {
        titles.set(id, record.title);
      }
    }
    jobs?.jobs.forEach(job => titles.set(`job:${job.id}`, job.name));
    return titles;
  }, [listed, heard, jobs]);
}
