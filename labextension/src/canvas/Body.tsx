import { type Preview, previewOf } from '../shared/canvas/drafts';
import { hasPage } from '../shared/canvas/kinds';
import { editedText } from '../shared/canvas/state';
import type { CanvasState } from '../shared/canvas/types';
import type { Artifact } from '../shared/contract';
import { useSelect } from '../chat/parts/hooks';
import { useCanvas, useDocument } from './context';
import { Compare } from './Compare';
import { Code } from './Code';
import { Draft } from './Draft';
import { Frame, Picture, Text } from './Shown';
import { titleOf } from './words';

/** The document itself: what is shown, its source, a comparison, the editor, or the text while it is being written. */
export function Body({ version }: { version: number }): JSX.Element | null {
  const state = useDocument();
  const { record, comparison } = state;
  if (state.gone) {
    return <Left state={state} />;
  }
  if (!record) {
    return null;
  }
  if (state.mode === 'compare' && comparison) {
    return <Compare comparison={comparison} kind={record.kind} />;
  }
  return state.editing ? <Editing record={record} text={editedText(state)} /> : <Reading record={record} version={version} />;
}

/** The draft of a call that changes this canvas, unless the person does not want to see such. */
function useDraft(id: string): Preview | null {
  const { canvases } = useCanvas();
  const draft = useSelect(canvases, known => (known.previews ? known.drafts.find(one => previewOf(one)?.canvas === id) : undefined));
  return draft ? previewOf(draft) : null;
}

function Editing({ record, text }: { record: Artifact; text: string }): JSX.Element {
  const { document: owner, t } = useCanvas();
  const draft = useDraft(record.id);
  const label = t('canvas.editor', { title: titleOf(record.title, t) });
  return (
    <div className="crew-canvas-body">
      {draft ? <div className="crew-canvas-next crew-sm">{t('canvas.writing_next')}</div> : null}
      <Code kind={record.kind} language={record.language} text={text} label={label} onChange={edited => owner.write(edited)} />
    </div>
  );
}

function Reading({ record, version }: { record: Artifact; version: number }): JSX.Element {
  const { pinned } = useDocument();
  const draft = useDraft(record.id);
  return draft && pinned === null ? (
    <Draft preview={{ ...draft, kind: record.kind, language: record.language }} />
  ) : (
    <Content record={record} version={version} />
  );
}

/** The canvas is gone, the words that were being written are not. */
function Left({ state: { unsaved, record } }: { state: CanvasState }): JSX.Element | null {
  const { t } = useCanvas();
  const label = t('canvas.editor', { title: titleOf(record?.title ?? '', t) });
  return unsaved ? <Code kind={record?.kind ?? 'code'} language={record?.language ?? null} text={unsaved.text} label={label} /> : null;
}

/** One version, in its shown form or as source (CNV-113). */
function Content({ record, version }: { record: Artifact; version: number }): JSX.Element {
  const { t } = useCanvas();
  const { mode, contents } = useDocument();
  const { id, kind, language } = record;
  const text = contents[version];
  const title = titleOf(record.title, t);
  if (kind === 'image') {
    return <Picture id={id} version={version} text={null} title={title} />;
  }
  if (hasPage(kind) && mode !== 'source') {
    return <Frame id={id} version={version} title={title} />;
  }
  if (text === undefined) {
    return <div className="crew-canvas-none crew-2">{t('canvas.loading')}</div>;
  }
  if (kind === 'code' || mode === 'source') {
    return <Code kind={kind} language={language} text={text} label={t('canvas.editor', { title })} />;
  }
  return kind === 'svg' ? <Picture id={id} version={version} text={text} title={title} /> : <Text text={text} live={false} />;
}
