import { useEffect, useRef } from 'react';
import { RequestCard } from '../../chat/approval/RequestCard';
import { DeciderProvider, useApp } from '../../chat/parts/context';
import { useSelect, useStore } from '../../chat/parts/hooks';
import { needsYou } from '../../shared/manage/runs';
import { useManager } from '../app';
import { Empty, Page } from '../parts/page';
import { History } from './History';

const WIDTH = 920; // guide section 2

/** Pending requests, decided in place; below, what was decided (GATE-76, UI-82). */
export function ApprovalsPage(): JSX.Element {
  const app = useApp();
  const { t } = app;
  const pending = useSelect(app.activity, state => state.approvals);
  const heading = useRef<HTMLHeadingElement>(null);
  const inside = useRef<string | null>(null);
  useEffect(() => {
    if (inside.current !== null && !pending.some(one => one.id === inside.current)) {
      inside.current = null;
      heading.current?.focus(); // the card with the focus is gone
    }
  }, [pending]);
  const label = pending.length > 0 ? <span className="crew-label warn">{t('approvals.waiting', { n: pending.length })}</span> : null;
  return (
    <Page title={t('manage.section.approvals')} width={WIDTH} heading={heading} label={label} note={t('approvals.note')}>
      <div className="crew-requests">
        {pending.map(approval => (
          <Request key={approval.id} id={approval.id} onFocus={() => (inside.current = approval.id)} />
        ))}
        {pending.length === 0 ? <Empty>{t('approvals.none')}</Empty> : null}
      </div>
      <Failures />
      <History />
    </Page>
  );
}

function Request({ id, onFocus }: { id: string; onFocus: () => void }): JSX.Element | null {
  const app = useApp();
  const { manager } = useManager();
  const approval = useSelect(app.activity, state => state.approvals.find(one => one.id === id) ?? null);
  if (!approval) {
    return null;
  }
  const open = (
    <button type="button" className="crew-link more" onClick={() => app.execute('crewlab:open-conversation', { id: approval.conversation_id })}>
      {app.t('manage.open_conversation')}
    </button>
  );
  return (
    <DeciderProvider value={manager.approvals.decider(id)}>
      <div onFocus={onFocus}>
        <RequestCard approval={approval} more={open} />
      </div>
    </DeciderProvider>
  );
}

/** Failed runs are on another page; this one points there only when there is something (GATE-77). */
function Failures(): JSX.Element | null {
  const { t } = useApp();
  const { manager } = useManager();
  const failed = needsYou(useStore(manager.runs)).length;
  if (failed === 0) {
    return null;
  }
  return (
    <p className="crew-row crew-wrap crew-2">
      <span>{t('approvals.failures', { n: failed })}</span>
      <button type="button" className="crew-link" onClick={() => manager.go('activity')}>
        {t('approvals.see_activity')}
      </button>
    </p>
  );
}
