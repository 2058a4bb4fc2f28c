import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeviceBox, type KeyValue } from '@crew/shared/device';
import { MemoryStorage } from './world';

const box = (storage: () => KeyValue): DeviceBox =>
  new DeviceBox(
    { storage, setTimeout: (run, ms) => setTimeout(run, ms) as unknown as number, clearTimeout: timer => clearTimeout(timer) },
    '/user/a%40b/'
  );

describe('what belongs to the device', () => {
  let storage: MemoryStorage;
  let device: DeviceBox;

  beforeEach(() => {
    vi.useFakeTimers();
    storage = new MemoryStorage();
    device = box(() => storage);
  });
  afterEach(() => vi.useRealTimers());

  // spec: UI-103
  it('stands under keys that begin with crewlab and the base URL', () => {
    device.setFlag('canvas-preview', 'off');
    expect([...storage.map]).toEqual([['crewlab:/user/a%40b/:flag:canvas-preview', 'off']]);
    device.setFlag('canvas-preview', null);
    expect(storage.map.size).toBe(0);
  });

  // spec: UI-108
  it('writes a draft 300 ms after the last key', () => {
    device.setDraft('cv-1', 'H');
    vi.advanceTimersByTime(200);
    device.setDraft('cv-1', 'He');
    vi.advanceTimersByTime(299);
    expect(storage.map.size).toBe(0);
    expect(device.draft('cv-1')).toBe('He');
    vi.advanceTimersByTime(1);
    expect([...storage.map.values()]).toEqual(['He']);
    expect(box(() => storage).draft('cv-1')).toBe('He');
  });

  // spec: UI-108
  it('writes drafts at once when the panel is hidden', () => {
    device.setDraft('cv-1', 'one');
    device.setDraft(null, 'new');
    device.flushDrafts();
    expect([box(() => storage).draft('cv-1'), box(() => storage).draft(null)]).toEqual(['one', 'new']);
    vi.advanceTimersByTime(1000);
    device.setDraft('cv-1', '');
    device.flushDrafts();
    expect(storage.map.size).toBe(1);
  });

  // spec: UI-17, UI-106
  it('drops the draft of a conversation that is deleted, also one that is not written yet', () => {
    device.setDraft('cv-1', 'words');
    device.dropDraft('cv-1');
    vi.advanceTimersByTime(1000);
    expect([device.draft('cv-1'), storage.map.size]).toEqual(['', 0]);
  });

  // spec: UI-106, UI-107
  it('takes everything as read at first use, and what changes later as unread', () => {
    expect(device.unread('cv-1', '2026-03-02T09:05:00+00:00')).toBe(false);
    device.begin('2026-03-02T09:10:00+00:00');
    device.begin('2027-01-01T00:00:00+00:00');
    expect(device.unread('cv-1', '2026-03-02T09:10:00+00:00')).toBe(false);
    expect(device.unread('cv-1', '2026-03-02T09:11:00+00:00')).toBe(true);
    device.markSeen('cv-1', '2026-03-02T09:11:00+00:00');
    expect(device.unread('cv-1', '2026-03-02T09:11:00+00:00')).toBe(false);
    expect(device.unread('cv-1', '2026-03-02T09:12:00+00:00')).toBe(true);
  });

  // spec: UI-106
  it('merges the marks of two tabs and never goes back', () => {
    const other = box(() => storage);
    device.begin('');
    device.markSeen('cv-1', '2026-03-02T09:11:00+00:00');
    other.markSeen('cv-2', '2026-03-02T09:12:00+00:00');
    other.markSeen('cv-1', '2026-03-02T09:01:00+00:00');
    expect([device.unread('cv-1', '2026-03-02T09:11:00+00:00'), device.unread('cv-2', '2026-03-02T09:12:00+00:00')]).toEqual([
      false,
      false
    ]);
  });

  it('takes marks that cannot be read for none', () => {
    device.begin('');
    for (const nonsense of ['{', '[1]', 'null', '{"cv-1": 7}']) {
      device.write('seen', nonsense);
      expect(device.unread('cv-1', '2026')).toBe(true);
    }
  });

  // spec: UI-105
  it.each([
    [
      'blocked',
      (): KeyValue => {
        throw new Error('SecurityError');
      }
    ],
    ['full', (): KeyValue => Object.assign(storage, { full: true })]
  ])('goes on from memory when the storage is %s', (_how, open) => {
    const poor = box(open);
    poor.begin('2026-03-02T09:10:00+00:00');
    poor.setDraft('cv-1', 'kept');
    poor.flushDrafts();
    poor.markSeen('cv-1', '2026-03-02T09:20:00+00:00');
    poor.setFlag('strip', 'open');
    expect([poor.draft('cv-1'), poor.flag('strip'), poor.unread('cv-1', '2026-03-02T09:15:00+00:00')]).toEqual(['kept', 'open', false]);
    expect(poor.unread('cv-2', '2026-03-02T09:15:00+00:00')).toBe(true);
    poor.dropDraft('cv-1');
    expect(poor.draft('cv-1')).toBe('');
  });
});

describe('what this screen keeps', () => {
  // spec: UI-102, UI-103
  it('is told in figures: drafts with words, marks, and whether the browser refuses', () => {
    const storage = new MemoryStorage();
    const kept = box(() => storage);
    storage.setItem('crewlab:/other/:draft:x', 'of another server');
    kept.begin('2026-01-01');
    kept.markSeen('c1', '2026-01-02');
    kept.setDraft('c1', 'words');
    kept.setDraft('c2', '');
    expect(kept.summary()).toEqual({ drafts: 1, seen: 1, refused: false });
    kept.flushDrafts();
    expect(kept.summary().drafts).toBe(1);
    kept.dropDraft('c1');
    expect(kept.summary().drafts).toBe(0);
    const refusing = box(() => {
      throw new Error('SecurityError');
    });
    refusing.setDraft('c1', 'words');
    refusing.flushDrafts();
    expect(refusing.summary()).toEqual({ drafts: 1, seen: 0, refused: true });
  });
});
