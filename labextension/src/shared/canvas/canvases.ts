/** Owner of what the window knows of canvases: records by frames, drafts by the stream, marks of this device. */
import type { CanvasApi } from './api';
import { reduceDrafts } from './drafts';
import { tagOf } from './tags';
import type { CanvasesRegion, CanvasesState } from './types';
import { failureOf } from '../api';
import type { Artifact, ArtifactFrame, ConversationEvent } from '../contract';
import type { DeviceBox } from '../device';
import { Batch } from '../stores/host';
import { Store } from '../stores/store';

const OFF = 'off'; // CNV-109: the single word that is stored
const SWITCH = 'canvas-preview';
const SEEN = 'canvas-seen';
const KEPT_SEEN = 500; // marks; the oldest go first
const NOT_FOUND = 404;

/** What the owner needs of its window. */
export interface CanvasesHost {
  readonly api: CanvasApi;
  readonly device: DeviceBox;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

export class Canvases extends Store<CanvasesState> implements CanvasesRegion {
  private readonly listeners_ = new Set<(frame: ArtifactFrame) => void>();
  private readonly asked = new Set<string>();
  private readonly batch: Batch;
  private next: CanvasesState;

  constructor(private readonly host: CanvasesHost) {
    super({ records: {}, drafts: [], ended: {}, seen: readSeen(host.device), previews: host.device.flag(SWITCH) !== OFF, current: null });
    this.next = this.getSnapshot();
    this.batch = new Batch(host, () => this.set(this.next));
  }

  need(id: string): void {
    if (this.next.records[id] !== undefined || this.asked.has(id)) {
      return;
    }
    this.read(id);
  }

  /** A frame of the activity stream (CNV-112). */
  hearFrame(frame: ArtifactFrame): void {
    const id = frame.artifact?.id ?? frame.id ?? null;
    if (id !== null) {
      this.take(id, frame.deleted ? null : (frame.artifact ?? null));
      [...this.listeners_].forEach(listener => listener(frame));
    }
  }

  /** Frames may have been missed: what is shown is read again. */
  hearGap(): void {
    Object.entries(this.next.records).forEach(([id, record]) => record && this.read(id));
  }

  /** An event of the open conversation: fragments, and what became of them. */
  hearEvent(event: ConversationEvent): void {
    const drafts = reduceDrafts(this.next.drafts, event);
    if (drafts === this.next.drafts) {
      return;
    }
    const gone = this.next.drafts.filter(draft => !drafts.some(one => one.call === draft.call)).map(draft => draft.call);
    const begun = drafts.filter(draft => !this.next.drafts.some(one => one.call === draft.call)).map(draft => draft.call);
    const ended = Object.fromEntries(Object.entries(this.next.ended).filter(([call]) => !begun.includes(call))); // ids come again in later turns
    for (const call of gone) {
      const result = event.type === 'tool_result' && event.tool_call_id === call ? tagOf(event.name, event.output) : null;
      ended[call] = result?.id ?? null;
    }
    this.next = { ...this.next, drafts, ended };
    if (gone.length > 0) {
      this.batch.now();
    } else {
      this.batch.soon();
    }
  }

  setPreviews(on: boolean): void {
    this.host.device.setFlag(SWITCH, on ? null : OFF);
    this.put({ previews: on });
  }

  markSeen(id: string, version: number): void {
    if (version > (this.next.seen[id] ?? 0)) {
      const { [id]: _old, ...others } = { ...this.next.seen, ...readSeen(this.host.device) };
      const seen = Object.fromEntries([...Object.entries(others).slice(1 - KEPT_SEEN), [id, version]]);
      this.host.device.write(SEEN, JSON.stringify(seen));
      this.put({ seen });
    }
  }

  setCurrent(id: string | null): void {
    if (id !== this.next.current) {
      this.put({ current: id });
    }
  }

  follow(listener: (frame: ArtifactFrame) => void): () => void {
    this.listeners_.add(listener);
    return () => this.listeners_.delete(listener);
  }

  private read(id: string): void {
    this.asked.add(id);
    this.host.api.read(id).then(
      ({ content: _content, content_url: _url, usage: _usage, ...record }) => this.take(id, record),
      (error: unknown) => (failureOf(error).status === NOT_FOUND ? this.take(id, null) : void this.asked.delete(id))
    );
  }

  private take(id: string, record: Artifact | null): void {
    this.put({ records: { ...this.next.records, [id]: record } });
  }

  private put(part: Partial<CanvasesState>): void {
    this.next = { ...this.next, ...part };
    this.batch.now();
  }
}

/** Whether a canvas has a version, not the person's own, that was not looked at on this device. */
export function isNew({ records, seen }: CanvasesState, id: string): boolean {
  const record = records[id];
  return record !== undefined && record !== null && record.author !== 'user' && record.version > (seen[id] ?? 0);
}

function readSeen(device: DeviceBox): Record<string, number> {
  try {
    const found: unknown = JSON.parse(device.read(SEEN) ?? '{}');
    const entries = typeof found === 'object' && found !== null ? Object.entries(found) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return {};
  }
}
