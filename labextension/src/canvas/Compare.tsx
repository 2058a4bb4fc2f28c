import { versionName } from '../shared/canvas/names';
import { counted, type CompareLine } from '../shared/canvas/lines';
import type { Comparison } from '../shared/canvas/types';
import { Icon } from '../chat/parts/icon';
import { useCanvas } from './context';
import { useActions } from './useActions';

const SIGN = { same: ' ', less: '−', more: '+' } as const;

/** Two texts beside each other, line by line (mock 08). */
export function Compare({ comparison, kind }: { comparison: Comparison; kind: string }): JSX.Element {
  const { t } = useCanvas();
  const actions = useActions();
  const { from, to, lines } = comparison;
  const counts = Array.isArray(lines) ? counted(lines) : null;
  return (
    <div className="crew-canvas-body">
      <div className="crew-canvas-sides">
        <span className="crew-num">{versionName(from)}</span>
        <Icon name="chevron" size="s" />
        <span className="crew-num">{to === 'mine' ? t('canvas.mine') : versionName(to)}</span>
        {counts ? <span className="crew-sm crew-2 crew-num">{t('canvas.counts', counts)}</span> : null}
        <span className="crew-grow" />
        {to === 'mine' ? null : (
          <button type="button" className="crew-btn small" onClick={() => void actions.restore(from)}>
            <Icon name="undo" size="s" />
            {t('canvas.restore', { n: String(from) })}
          </button>
        )}
      </div>
      <Lines lines={lines} kind={kind} />
    </div>
  );
}

function Lines({ lines, kind }: { lines: Comparison['lines']; kind: string }): JSX.Element | null {
  const { t } = useCanvas();
  if (lines === 'wait') {
    return null;
  }
  if (lines === null) {
    return <div className="crew-canvas-none crew-2">{t('canvas.diff_large')}</div>;
  }
  if (!lines.some(line => line.kind === 'less' || line.kind === 'more')) {
    return <div className="crew-canvas-none crew-2">{t('canvas.same')}</div>;
  }
  return (
    <div className={kind === 'markdown' ? 'crew-canvas-diff prose' : 'crew-canvas-diff'} role="region" tabIndex={0} aria-label={t('canvas.compare')}>
      <table>
        <tbody>
          {lines.map((line, place) => (
            <Line key={place} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ line }: { line: CompareLine }): JSX.Element {
  const { t } = useCanvas();
  if (line.kind === 'gap') {
    return (
      <tr className="gap">
        <td colSpan={4}>{line.count === null ? t('canvas.gap_rest') : t('canvas.gap', { n: line.count })}</td>
      </tr>
    );
  }
  return (
    <tr className={line.kind}>
      <td className="n">{line.old}</td>
      <td className="n">{line.now}</td>
      <td className="s">
        <span aria-hidden="true">{SIGN[line.kind]}</span>
        {line.kind === 'same' ? null : <span className="crew-hidden">{t(line.kind === 'less' ? 'cells.less' : 'cells.more')}</span>}
      </td>
      <td className="x" dir="auto">
        {line.text}
      </td>
    </tr>
  );
}
