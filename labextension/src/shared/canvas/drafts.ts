/** Canvases while an agent writes them (CNV-107 to CNV-111): fragments of the stream, nothing that is stored. Pure. */
import type { ConversationEvent } from '../contract';
import { partialObject } from './partial';

/** A call whose arguments are being written. */
export interface Draft {
  readonly call: string;
  readonly name: string;
  /** The JSON text so far. */
  readonly json: string;
}

export type Drafts = readonly Draft[];

/** What can be shown of a draft. */
export interface Preview {
  readonly call: string;
  /** The canvas that is being changed; null for a new one. */
  readonly canvas: string | null;
  readonly title: string | null;
  readonly kind: string | null;
  readonly language: string | null;
  /** The new text as far as it goes. */
  readonly text: string;
  /** The passage that an edit replaces; null for a whole text. */
  readonly old: string | null;
}

const WRITES = new Set(['artifact_create', 'artifact_edit', 'artifact_rewrite']); // CNV-108
const NONE: Drafts = [];
/** After these no call is being written any more; who joins gets no earlier fragments (CNV-110). */
const FRESH = new Set(['watching', 'opened', 'done', 'halted', 'stopped', 'error', 'approval_required']);

/** The drafts after one more event of the conversation; the same list when nothing changed. */
export function reduceDrafts(drafts: Drafts, event: ConversationEvent): Drafts {
  if (event.type === 'tool_call_delta') {
    return WRITES.has(event.name) ? grow(drafts, event.tool_call_id, event.name, event.arguments) : drafts;
  }
  if (event.type === 'tool_result') {
    return without(drafts, event.tool_call_id); // the canvas is there, or the error stands on the card (CNV-111)
  }
  return FRESH.has(event.type) && drafts.length > 0 ? NONE : drafts;
}

function grow(drafts: Drafts, call: string, name: string, fragment: string): Drafts {
  const known = drafts.find(draft => draft.call === call);
  const grown: Draft = { call, name, json: (known?.json ?? '') + fragment };
  return known ? drafts.map(draft => (draft === known ? grown : draft)) : [...drafts, grown];
}

function without(drafts: Drafts, call: string): Drafts {
  return drafts.some(draft => draft.call === call) ? drafts.filter(draft => draft.call !== call) : drafts;
}

/** What a draft shows; null while it is not known what it is about, or when its text is no JSON. */
export function previewOf({ call, name, json }: Draft): Preview | null {
  const fields = partialObject(json);
  if (!fields) {
    return null;
  }
  const field = (key: string): string | null => said(fields[key]);
  if (name === 'artifact_create') {
    return { call, canvas: null, title: field('title'), kind: field('kind'), language: field('language'), text: field('content') ?? '', old: null };
  }
  const canvas = field('id');
  const none = { title: null, kind: null, language: null };
  if (canvas === null) {
    return null;
  }
  return name === 'artifact_edit'
    ? { call, canvas, ...none, text: field('new') ?? '', old: field('old') ?? '' }
    : { call, canvas, ...none, text: field('content') ?? '', old: null };
}

function said(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
