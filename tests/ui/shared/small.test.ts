import { describe, expect, it, vi } from 'vitest';
import { Api, ApiError, failureOf } from '@crew/shared/api';
import { age, clock, count, countdown, dayGroup, duration, price } from '@crew/shared/format';
import { Layers } from '@crew/shared/layers';
import { newRequestId, sendOnce } from '@crew/shared/send';
import { Cell } from '@crew/shared/stores/store';
import { chooseLanguage, frameText } from '@crew/shared/texts/frame';

describe('figures', () => {
  // spec: UI-125
  it.each([
    [0.41272, '$0.4127'],
    [0, '$0.0000'],
    [0.99994, '$0.9999'],
    [1, '$1.00'],
    [2.184, '$2.18'],
    [1234.5, '$1,234.50'],
    [null, null]
  ])('writes the price %s as %s', (usd, text) => {
    expect(price(usd, 'en')).toBe(text);
  });

  it.each([
    [0, '0.0 s'],
    [5840, '5.8 s'],
    [59_949, '59.9 s'],
    [59_999, '1 m 00 s'],
    [102_000, '1 m 42 s'],
    [7_500_000, '2 h 05 m'],
    [-5, '0.0 s']
  ])('writes %i ms as %s', (ms, text) => {
    expect(duration(ms, 'en')).toBe(text);
  });

  it.each([
    [30, null],
    [125, '2 m'],
    [3 * 3600 + 5, '3 h'],
    [6 * 86_400, '6 d'],
    [-100, null]
  ])('writes an age of %i seconds as %s', (seconds, text) => {
    expect(age('2026-03-02T09:00:00+00:00', Date.parse('2026-03-02T09:00:00+00:00') + seconds * 1000)).toBe(text);
  });

  it('counts down without going below zero', () => {
    expect([countdown(545_000), countdown(5001), countdown(-1)]).toEqual(['9:05', '0:06', '0:00']);
  });

  // spec: UI-13
  it('groups by the calendar of the viewer', () => {
    const now = new Date(2026, 2, 2, 0, 30);
    const local = (day: number, hour: number): string => new Date(2026, 2, day, hour).toISOString();
    expect([local(2, 0), local(1, 23), local(1, 0), new Date(2026, 1, 28, 23).toISOString()].map(iso => dayGroup(iso, now))).toEqual([
      'today',
      'yesterday',
      'yesterday',
      'older'
    ]);
  });

  it('uses the separators of the language', () => {
    expect([count(1842310, 'en'), count(1842310, 'vi'), price(0.5, 'vi')]).toEqual(['1,842,310', '1.842.310', '$0,5000']);
    expect(clock(new Date(2026, 2, 2, 14, 31).getTime(), 'en')).toBe('14:31');
    expect([clock('', 'en'), clock('not a time', 'vi'), clock(Number.NaN, 'en')]).toEqual(['', '', '']);
  });
});

describe('the API', () => {
  const answer = (status: number, body: unknown): Api => new Api(() => Promise.resolve({ status, body }));
  const failing = async (api: Api): Promise<ApiError> =>
    api.agents().then(
      () => Promise.reject(new Error('no failure')),
      (error: ApiError) => error
    );

  // spec: TURN-8, UI-8
  it('turns an error into its token, its message and its fields', async () => {
    const error = await failing(answer(422, { code: 'invalid', message: 'Title is too long', field: 'title' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error.failure).toEqual({ code: 'invalid', status: 422, message: 'Title is too long', fields: { field: 'title' } });
    expect(error.lost).toBe(false);
  });

  it.each([null, 'a page of a proxy', 7])('keeps the status of an answer that says nothing (%s)', async body => {
    expect((await failing(answer(502, body))).failure).toEqual({ code: 'http_502', status: 502, message: 'HTTP 502', fields: {} });
  });

  it('says that no answer came', async () => {
    const error = await failing(new Api(() => Promise.reject(new TypeError('Failed to fetch'))));
    expect([error.lost, error.code, error.message]).toEqual([true, 'unreachable', 'Failed to fetch']);
    expect(failureOf(new Error('else'))).toEqual({ code: 'internal', status: 0, message: 'else', fields: {} });
  });

  // spec: FX-1
  it('encodes every id in its paths', async () => {
    const send = vi.fn(() => Promise.resolve({ status: 204, body: null }));
    const api = new Api(send);
    await api.deleteConversation('a/b?c');
    await api.sendMessage('x y', { text: 'hi' });
    await api.runs({ conversation_id: 'a&b', limit: 2, before: null });
    expect(send.mock.calls).toEqual([
      ['conversations/a%2Fb%3Fc', { method: 'DELETE' }],
      ['conversations/x%20y/messages', { method: 'POST', body: '{"text":"hi"}' }],
      ['activity/runs?conversation_id=a%26b&limit=2', { method: 'GET' }]
    ]);
  });
});

describe('sending once', () => {
  const wait = (): Promise<void> => Promise.resolve();

  // spec: UI-49
  it('makes names of 32 hex characters that differ', () => {
    const names = Array.from({ length: 50 }, () => newRequestId());
    expect(names.every(name => /^[0-9a-f]{32}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(50);
  });

  // spec: UI-49
  it('does not repeat what the server has refused', async () => {
    const post = vi.fn(() => Promise.reject(new ApiError('queue_full', 429, 'full')));
    await expect(sendOnce(post, wait)).rejects.toThrow('full');
    expect(post).toHaveBeenCalledTimes(1);
  });

  // spec: UI-49
  it('repeats what a proxy answered in place of the server', async () => {
    const sent = { status: 'started', run_id: 'r', message_id: 1, queued: null, running: true } as const;
    const post = vi
      .fn()
      .mockRejectedValueOnce(new ApiError('http_502', 502, 'bad gateway'))
      .mockResolvedValue(sent);
    expect(await sendOnce(post, wait)).toBe(sent);
    expect(post).toHaveBeenCalledTimes(2);
  });
});

describe('layers', () => {
  // spec: UI-22, UI-131
  it('close from the innermost, one at a time', () => {
    const layers = new Layers();
    const closed: string[] = [];
    layers.push(() => closed.push('drawer'));
    const release = layers.push(() => closed.push('card'));
    layers.push(() => closed.push('menu'));
    release();
    release();
    expect([layers.closeInnermost(), layers.any, layers.closeInnermost(), layers.any, layers.closeInnermost()]).toEqual([
      true,
      true,
      true,
      false,
      false
    ]);
    expect(closed).toEqual(['menu', 'drawer']);
  });
});

describe('a store', () => {
  it('tells of changes only, and lets no listener keep others from hearing', () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const cell = new Cell(1);
    const heard = vi.fn();
    cell.subscribe(() => {
      throw new Error('a view');
    });
    const leave = cell.subscribe(heard);
    cell.put(1);
    cell.put(2);
    leave();
    cell.put(3);
    expect([heard.mock.calls.length, cell.getSnapshot()]).toEqual([1, 3]);
    silent.mockRestore();
  });
});

describe('the language', () => {
  // spec: UI-6
  it.each([
    ['vi', 'en', 'vi'],
    ['en', 'vi', 'en'],
    [null, 'vi', 'vi'],
    [null, 'vi_VN', 'vi'],
    [null, 'vi-VN', 'vi'],
    [null, 'de', 'en'],
    ['fr', 'vi-VN', 'vi']
  ])('of a home that says %s in a JupyterLab in %s is %s', (home, lab, language) => {
    expect(chooseLanguage(home, lab)).toBe(language);
  });

  // spec: UI-135
  it('fills the places of a text', () => {
    expect(frameText('en', 'status.both', { working: 1, waiting: 2 })).toBe('Crew: 1 working, 2 waiting');
    expect(frameText('vi', 'status.working', { working: 1 })).toBe('Nhóm: 1 đang làm');
  });
});
