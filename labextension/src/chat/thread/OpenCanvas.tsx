import type { CanvasTag } from '../../shared/canvas/tags';
import { useApp } from '../parts/context';

const OPEN = 'crewlab:open-canvas';

/** Opens the version that a call has written, from the line of the call (CNV-95, UI-34). */
export function OpenCanvas({ tag }: { tag: CanvasTag }): JSX.Element | null {
  const app = useApp();
  return app.has(OPEN) ? (
    <button type="button" className="crew-link" onClick={() => app.execute(OPEN, { id: tag.id, version: tag.version })}>
      {app.t('canvas.open_short', { n: String(tag.version) })}
    </button>
  ) : null;
}
