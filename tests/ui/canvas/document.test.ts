import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isNew } from '@crew/shared/canvas/canvases';
import { CanvasDocument } from '@crew/shared/canvas/document';
import { newerVersion, versionShown } from '@crew/shared/canvas/state';
import type { Artifact, ArtifactView, ConversationEvent } from '@crew/shared/contract';
import { World } from '../shared/world';

const ID = 'abcd1234';

export function record(version: number, more: Partial<Artifact> = {}): Artifact {
  const at = `2026-11-30T14:${String(version).padStart(2, '0')}:00Z`;
  return {
    ...{ id: ID, title: 'Plan', kind: 'markdown', language: null, version, bytes: 3, source_path: null, agent_id: 'master' },
    ...{ conversation_id: 'cv-1', root_conversation_id: 'cv-1', author: 'agent:master', created_at: at, updated_at: at },
    ...more
  };
}

let world: World;
let texts: string[];
let document: CanvasDocument;
const settle = async (): Promise<void> => {
  for (let step = 0; step < 20; step += 1) {
    await Promise.resolve();
  }
  await new Promise(done => setTimeout(done, 0));
};

/** The server has these texts, the newest last. */
function serve(...all: string[]): void {
  texts = all;
  const newest = record(all.length);
  const view: ArtifactView = { ...newest, content: all.at(-1) ?? '', content_url: null, usage: { bytes: 3, limit: 9 } };
  world.reply(`GET artifacts/${ID}`, { status: 200, body: view });
  const versions = all.map((_text, place) => ({ version: place + 1, author: 'agent:master', how: 'edit', bytes: 3, created_at: newest.created_at }));
  world.reply(`GET artifacts/${ID}/versions`, { status: 200, body: { versions: versions.reverse() } });
  all.forEach((content, place) => world.reply(`GET artifacts/${ID}/versions/${place + 1}`, { status: 200, body: { ...view, version: place + 1, content } }));
}

function change(text: string): void {
  serve(...texts, text);
  world.crew.canvases.hearFrame({ type: 'artifact', artifact: record(texts.length) });
}

function made(): CanvasDocument {
  const { api, canvases } = world.crew;
  const timers = { setTimeout: (run: () => void, ms: number) => setTimeout(run, ms) as unknown as number, clearTimeout: (timer: number) => clearTimeout(timer) };
  return new CanvasDocument({ ...timers, api: api.canvases, device: world.device, canvases }, ID);
}

beforeEach(async () => {
  world = new World();
  serve('one');
  document = made();
  await document.load();
});

describe('a canvas that is open', () => {
  // spec: CNV-112, CNV-131
  it('follows the newest version, and stays where the person looks', async () => {
    change('two');
    await settle();
    expect(versionShown(document.getSnapshot())).toBe(2);
    await document.look(1);
    change('three');
    await settle();
    expect(versionShown(document.getSnapshot())).toBe(1); // CNV-123
    expect(document.getSnapshot().contents[1]).toBe('one');
  });

  // spec: CNV-122
  it('never throws unsaved words away for a newer version', async () => {
    await document.edit();
    document.write('mine');
    change('two');
    await settle();
    expect(document.getSnapshot().unsaved).toEqual({ base: 1, text: 'mine' });
    expect(newerVersion(document.getSnapshot())).toBe(2);
  });

  // spec: CNV-126
  it('keeps them when the save is refused, compares, and saves on top', async () => {
    await document.edit();
    document.write('mine');
    serve('one', 'two');
    world.reply(`PUT artifacts/${ID}`, { status: 409, body: { code: 'version_conflict', message: 'newer', version: 2 } });
    expect(await document.save()).toBe(false);
    await settle();
    expect(document.getSnapshot()).toMatchObject({ refused: true, problem: null, unsaved: { base: 1, text: 'mine' } });
    await document.compare(2, 'mine');
    expect(document.getSnapshot().comparison?.lines).toEqual([
      { kind: 'less', old: 1, now: null, text: 'two' },
      { kind: 'more', old: null, now: 1, text: 'mine' }
    ]);
    world.reply(`PUT artifacts/${ID}`, { status: 200, body: record(3) });
    serve('one', 'two', 'mine');
    expect(await document.saveOnTop()).toBe(true);
    expect(world.bodies(`PUT artifacts/${ID}`).at(-1)).toEqual({ content: 'mine', base_version: 2 });
    expect(document.getSnapshot()).toMatchObject({ unsaved: null, refused: false, record: { version: 3 } });
  });

  // spec: CNV-122
  it('keeps what is typed while a save is on its way', async () => {
    await document.edit();
    document.write('mine');
    let answer: (found: { status: number; body: unknown }) => void = () => undefined;
    world.reply(`PUT artifacts/${ID}`, new Promise(done => (answer = done)));
    const saving = document.save();
    document.write('mine and more');
    serve('one', 'mine');
    answer({ status: 200, body: record(2) });
    expect(await saving).toBe(true);
    expect(document.getSnapshot().unsaved).toEqual({ base: 2, text: 'mine and more' });
  });

  // spec: CNV-122, UI-103
  it('has the unsaved words again after a reload, also when the server did not answer', async () => {
    await document.edit();
    document.write('mine');
    world.reply(`PUT artifacts/${ID}`, new Error('offline'));
    expect(await document.save()).toBe(false);
    expect(document.getSnapshot().problem?.code).toBe('unreachable');
    document.close();
    expect(made().getSnapshot()).toMatchObject({ editing: true, unsaved: { base: 1, text: 'mine' } });
  });

  // spec: CNV-129
  it('says that it is gone and keeps the words', async () => {
    await document.edit();
    document.write('mine');
    world.crew.canvases.hearFrame({ type: 'artifact', id: ID, deleted: true });
    expect(document.getSnapshot()).toMatchObject({ gone: true, unsaved: { text: 'mine' } });
    expect(await document.save()).toBe(false);
  });

  // spec: CNV-59
  it('says when a comparison is too large to draw', async () => {
    change('two');
    await settle();
    world.reply(`GET artifacts/${ID}/diff?from=1&to=2`, { status: 200, body: { from: 1, to: 2, diff: null } });
    await document.compare(1, 2);
    expect(document.getSnapshot().comparison).toEqual({ from: 1, to: 2, lines: null });
  });

  // spec: CNV-127, CNV-130
  it('is restored and imported again by its routes', async () => {
    change('two');
    await settle();
    world.reply(`POST artifacts/${ID}/restore`, { status: 200, body: record(3) });
    serve('one', 'two', 'one');
    expect(await document.restore(1)).toBe(true);
    expect(world.bodies(`POST artifacts/${ID}/restore`)).toEqual([{ version: 1 }]);
    expect(versionShown(document.getSnapshot())).toBe(3);
    world.reply(`POST artifacts/${ID}/reimport`, { status: 200, body: { ...record(3), unchanged: true } });
    expect(await document.reimport()).toBe('unchanged');
    world.reply(`POST artifacts/${ID}/reimport`, { status: 409, body: { code: 'source_unusable', message: 'is a folder' } });
    expect(await document.reimport()).toBe('failed');
    expect(document.getSnapshot().problem?.message).toBe('is a folder');
  });
});

describe('what the window knows of canvases', () => {
  // spec: CNV-112, UI-34
  it('asks once for a record and hears the rest by frames', async () => {
    const { canvases } = world.crew;
    canvases.need(ID);
    canvases.need(ID);
    await settle();
    expect(canvases.getSnapshot().records[ID]?.title).toBe('Plan');
    expect(world.asked.filter(one => one.where === `artifacts/${ID}`)).toHaveLength(2); // one of them for the document
    canvases.hearFrame({ type: 'artifact', artifact: record(2, { title: 'Renamed' }) });
    expect(canvases.getSnapshot().records[ID]?.title).toBe('Renamed');
  });

  // spec: UI-103
  it('marks what was not looked at, on this device, and never the own words', () => {
    const { canvases } = world.crew;
    canvases.hearFrame({ type: 'artifact', artifact: record(2) });
    expect(isNew(canvases.getSnapshot(), ID)).toBe(true);
    canvases.markSeen(ID, 2);
    expect(isNew(canvases.getSnapshot(), ID)).toBe(false);
    canvases.hearFrame({ type: 'artifact', artifact: record(3, { author: 'user' }) });
    expect(isNew(canvases.getSnapshot(), ID)).toBe(false);
  });

  // spec: CNV-109
  it('keeps the switch of the preview as the single word off', () => {
    const { canvases } = world.crew;
    canvases.setPreviews(false);
    expect([...world.storage.map.values()]).toContain('off');
    expect(canvases.getSnapshot().previews).toBe(false);
    canvases.setPreviews(true);
    expect([...world.storage.map.values()]).not.toContain('off');
  });

  // spec: CNV-107, CNV-111
  it('tells what became of a draft, also when an id comes again', () => {
    vi.useFakeTimers();
    const { canvases } = world.crew;
    const part: ConversationEvent = { type: 'tool_call_delta', tool_call_id: 'c', name: 'artifact_create', index: 0, arguments: '{"title": "A"' };
    const result = (output: string): ConversationEvent => ({ type: 'tool_result', tool_call_id: 'c', name: 'artifact_create', output }) as ConversationEvent;
    canvases.hearEvent(part);
    canvases.hearEvent(result(`[artifact ${ID} v1]\n`));
    expect(canvases.getSnapshot().ended).toEqual({ c: ID });
    canvases.hearEvent(part);
    vi.advanceTimersByTime(100);
    expect(canvases.getSnapshot().ended).toEqual({});
    canvases.hearEvent(result('refused'));
    expect(canvases.getSnapshot().ended).toEqual({ c: null });
    vi.useRealTimers();
  });
});
