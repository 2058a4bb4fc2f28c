/** How the state of an open canvas follows from what happened to it. Pure. */
import type { Artifact, ArtifactVersion, ArtifactView } from '../contract';
import type { CanvasState, Unsaved } from './types';

/** The state before anything is known; unsaved text of an earlier visit is there at once. */
export function openCanvas(id: string, unsaved: Unsaved | null): CanvasState {
  return {
    id,
    loading: 'loading',
    failure: null,
    gone: false,
    record: null,
    versions: [],
    contents: {},
    pinned: null,
    mode: 'shown',
    comparison: null,
    editing: unsaved !== null,
    unsaved,
    putAside: 0,
    refused: false,
    busy: false,
    problem: null
  };
}

/** The canvas as the server has it now. What is looked at and what is being written stay. */
export function withCanvas(state: CanvasState, view: ArtifactView, versions: readonly ArtifactVersion[]): CanvasState {
  const { content, content_url: _url, usage: _usage, ...record } = view;
  const known = content === null ? state.contents : { ...state.contents, [record.version]: content };
  const next = { ...state, loading: 'ready' as const, failure: null, gone: false, record, versions, contents: known };
  return next.unsaved && next.unsaved.text === next.contents[record.version] ? { ...next, unsaved: null, refused: false } : next;
}

/** A record that came by a frame or as an answer; an older one changes nothing. */
export function withRecord(state: CanvasState, record: Artifact): CanvasState {
  return state.record && record.updated_at < state.record.updated_at ? state : { ...state, record };
}

/** The canvas is gone: unsaved text stays, the editor with it. */
export function withoutCanvas(state: CanvasState): CanvasState {
  return { ...state, gone: true, loading: 'ready', busy: false, comparison: null, mode: 'shown' };
}

/** Text that was typed. The text of the version it stands on is no change. */
export function withText(state: CanvasState, text: string): CanvasState {
  const base = state.unsaved?.base ?? state.record?.version ?? 0;
  return { ...state, unsaved: text === state.contents[base] ? null : { base, text } };
}

/** The text was saved as the version of `record`. */
export function withSaved(state: CanvasState, record: Artifact, text: string): CanvasState {
  const contents = { ...state.contents, [record.version]: text };
  const written = state.unsaved && state.unsaved.text !== text ? { base: record.version, text: state.unsaved.text } : null;
  return { ...withRecord(state, record), contents, unsaved: written, refused: false, busy: false, problem: null, pinned: null };
}

/** The version that is shown. */
export function versionShown(state: CanvasState): number {
  return state.pinned ?? state.record?.version ?? 0;
}

/** The version that has come after the one the unsaved text stands on; null when there is none (CNV-122). */
export function newerVersion({ unsaved, record }: CanvasState): number | null {
  return unsaved && record && record.version > unsaved.base ? record.version : null;
}

/** The text in the editor: the unsaved one, else the newest. */
export function editedText(state: CanvasState): string {
  return state.unsaved?.text ?? state.contents[state.record?.version ?? 0] ?? '';
}
