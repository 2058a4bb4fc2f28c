import { useEffect, useRef } from 'react';
import type { Preview } from '../shared/canvas/drafts';
import { Bead } from '../chat/parts/bead';
import { useCanvas } from './context';
import { Text } from './Shown';
import { titleOf } from './words';

/** A text while it comes into being (CNV-107). What runs is not run before it is whole: pages and pictures are shown as source. */
export function Draft({ preview }: { preview: Preview }): JSX.Element {
  const { t } = useCanvas();
  const { kind, old, text, title } = preview;
  return (
    <div className="crew-canvas-body">
      <div className="crew-canvas-next crew-sm" role="status">
        <Bead kind="run" free />
        <span>{t('canvas.writing')}</span>
        {title === null ? null : (
          <span className="crew-ell crew-b">
            <bdi>{titleOf(title, t)}</bdi>
          </span>
        )}
      </div>
      {old !== null ? <Passage old={old} text={text} /> : kind === 'markdown' ? <Text text={text} live /> : <Growing text={text} />}
    </div>
  );
}

/** The passage that goes and the one that comes. */
function Passage({ old, text }: { old: string; text: string }): JSX.Element {
  return (
    <div className="crew-canvas-passage" tabIndex={0}>
      {old === '' ? null : <pre className="less">{old}</pre>}
      {text === '' ? null : <pre className="more">{text}</pre>}
    </div>
  );
}

/** Text that grows, with its end in view. */
export function Growing({ text }: { text: string }): JSX.Element {
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (box.current) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [text]);
  return (
    <pre ref={box} className="crew-canvas-growing" tabIndex={0}>
      {text}
    </pre>
  );
}
