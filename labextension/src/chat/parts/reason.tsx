import { useState } from 'react';
import { isKeptWhole } from '../../shared/kept';
import { useApp } from './context';

/**
 * Why a step failed, shown at once (OUT-41): whole and wrapped to the card as far as a run keeps it, else complete in a
 * scrolling box. "Hide result" folds it.
 */
export function Reason({ why, folds }: { why: string; folds: boolean | undefined }): JSX.Element {
  const { t } = useApp();
  const [open, turn] = useState(true);
  if (!folds) {
    return <div className="crew-why">{why}</div>;
  }
  return (
    <div className="crew-why">
      {open ? <Words why={why} label={t('tool.result')} /> : null}
      <button type="button" className="crew-link" aria-expanded={open} onClick={() => turn(!open)}>
        {open ? t('tool.hide_result') : t('tool.show_result')}
      </button>
    </div>
  );
}

function Words({ why, label }: { why: string; label: string }): JSX.Element {
  if (isKeptWhole(why)) {
    return <div>{why}</div>;
  }
  return (
    <pre className="crew-code" tabIndex={0} aria-label={label}>
      {why}
    </pre>
  );
}
