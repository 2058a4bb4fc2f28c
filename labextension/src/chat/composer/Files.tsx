import { type ChangeEvent, type ClipboardEvent, type DragEvent, useRef, useState } from 'react';
import type { DraftFile } from '../../shared/stores/types';
import { formatBytes } from '../../shared/format';
import { useApp } from '../parts/context';
import { IconButton } from '../parts/controls';
import { useSelect } from '../parts/hooks';
import { Icon } from '../parts/icon';

const NONE: readonly DraftFile[] = [];

/** Files that the message will bring. */
export function useDrafts(): readonly DraftFile[] {
  const app = useApp();
  const id = useSelect(app.conversation, state => state.id);
  return useSelect(app.attached, state => state[id ?? ''] ?? NONE);
}

/** A chip for each file, above the text (guide section 6). */
export function Files(): JSX.Element | null {
  const app = useApp();
  const { t } = app;
  const id = useSelect(app.conversation, state => state.id);
  const drafts = useDrafts();
  if (drafts.length === 0) {
    return null;
  }
  return (
    <ul className="crew-files" aria-label={t('files.label')}>
      {drafts.map(draft => (
        <li key={draft.key} className={draft.state === 'failed' ? 'failed' : undefined} aria-busy={draft.state === 'sending'}>
          {draft.state === 'sending' ? (
            <span className="crew-ring" />
          ) : (
            <Icon name={draft.state === 'failed' ? 'warning' : 'document'} size="s" />
          )}
          <span className="crew-ell" title={draft.name}>
            {draft.name}
          </span>
          <span className="crew-2" role={draft.failure ? 'alert' : undefined}>
            {draft.failure ? draft.failure.message : draft.state === 'sending' ? t('files.sending') : formatBytes(draft.size, app.language)}
          </span>
          <IconButton icon="close" label={t('files.remove', { name: draft.name })} onClick={() => app.attached.remove(id, draft.key)} />
        </li>
      ))}
    </ul>
  );
}

/** The button that asks for files. */
export function AttachButton(): JSX.Element {
  const app = useApp();
  const field = useRef<HTMLInputElement>(null);
  const chosen = (event: ChangeEvent<HTMLInputElement>): void => {
    const files = [...(event.target.files ?? [])];
    event.target.value = ''; // the same file can be chosen again
    if (files.length > 0) {
      void app.attached.add(files);
    }
  };
  return (
    <>
      <input ref={field} type="file" multiple hidden aria-hidden="true" tabIndex={-1} onChange={chosen} />
      <IconButton icon="attach" label={app.t('files.attach')} onClick={() => field.current?.click()} />
    </>
  );
}

/** What makes an element take files that are dropped or pasted onto it; `over`: files hang above it now. */
export function useFileDrop() {
  const app = useApp();
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const brings = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  const take = (event: DragEvent | ClipboardEvent, files: readonly File[]): void => {
    event.preventDefault();
    event.stopPropagation();
    if (files.length > 0) {
      void app.attached.add(files);
    }
  };
  const move = (by: number) => (event: DragEvent) => {
    if (brings(event)) {
      event.preventDefault();
      depth.current = Math.max(0, depth.current + by);
      setOver(depth.current > 0);
    }
  };
  return {
    over,
    handlers: {
      onDragEnter: move(1),
      onDragLeave: move(-1),
      onDragOver: move(0),
      onDrop: (event: DragEvent) => {
        if (brings(event)) {
          depth.current = 0;
          setOver(false);
          take(event, [...event.dataTransfer.files]);
        }
      },
      onPaste: (event: ClipboardEvent) => {
        const files = [...event.clipboardData.files];
        if (files.length > 0 && event.clipboardData.getData('text/plain') === '') {
          take(event, files); // a table copied from a spreadsheet brings a picture of itself: its text is meant
        }
      }
    }
  };
}
