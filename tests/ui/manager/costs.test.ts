import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UsagePart, UsageParts, UsageSums } from '@crew/shared/contract';
import { ASPECTS, EARLIER, REST, rowsBy, rowsByTime, stackOf, sumOf } from '@crew/shared/costs/ledger';
import { translate } from '@crew/shared/texts';
import { axisFigures, coloursOf, longSpanName, shortSpent, spanName, spent } from '@crew/manager/costs/words';
import { run } from '../chat/data';
import { settle } from '../shared/world';
import { ManagedWorld } from './world';

const SPANS = ['2026-11-29', '2026-11-30'];
const NONE: UsageSums = { ...{ cost_usd: 0, unknown: 0, estimated: 0, calls: 0 }, ...{ prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 } };
const part = (changes: Partial<UsagePart>): UsagePart => ({ ...NONE, calls: 1, span: '2026-11-30', agent_id: 'master', provider: 'p', model: 'm', purpose: 'turn', ...changes });
const ledger = (parts: UsagePart[], spans = SPANS): UsageParts => ({ period: 'week', spans, parts });
const t = translate('en');

const parts = fc.array(
  fc.record({
    span: fc.constantFrom(null, ...SPANS),
    agent: fc.integer({ min: 0, max: 20 }),
    purpose: fc.constantFrom('turn', 'title'),
    cost: fc.option(fc.integer({ min: 0, max: 9000 })),
    tokens: fc.integer({ min: 0, max: 9000 })
  }),
  { maxLength: 60 }
);

describe('the usage ledger', () => {
  // spec: UI-83, USE-1, UI-84
  it('has the same sums in the figures, the columns and every table, and counts every unknown price', () => {
    fc.assert(
      fc.property(parts, found => {
        const all = found.map(({ span, agent, purpose, cost, tokens }) =>
          part({ span, agent_id: `a${agent}`, purpose, cost_usd: (cost ?? 0) / 1000, unknown: cost === null ? 1 : 0, prompt_tokens: tokens, cached_tokens: tokens / 2, completion_tokens: 3, reasoning_tokens: 1 })
        );
        const same = (sums: UsageSums[], whole: UsageSums = sumOf(all)): void =>
          (Object.keys(NONE) as (keyof UsageSums)[]).forEach(field => expect(sumOf(sums)[field]).toBeCloseTo(whole[field], 6));
        same(rowsByTime(ledger(all)).map(row => row.sums));
        for (const aspect of ASPECTS) {
          same(rowsBy(all, aspect).map(row => row.sums));
          const { columns, series } = stackOf(ledger(all), aspect, 'cost');
          columns.forEach(column => same(column.pieces.map(piece => piece.sums), column.sums));
          same(columns.map(column => column.sums));
          expect(series.length).toBeLessThanOrEqual(8);
          expect(columns.flatMap(column => column.pieces).every(piece => series.includes(piece.key))).toBe(true);
        }
      })
    );
  });

  it('has a column for each day, also without a call, and one for what was earlier only when there is any', () => {
    expect(rowsByTime(ledger([])).map(row => [row.key, row.sums.calls])).toEqual([['2026-11-29', 0], ['2026-11-30', 0]]);
    expect(rowsByTime(ledger([part({ span: null })])).map(row => row.key)).toEqual([EARLIER, ...SPANS]);
  });

  it('gathers the smallest series beyond what can be told apart by colour', () => {
    const many = Array.from({ length: 12 }, (_one, index) => part({ agent_id: `a${index}`, cost_usd: 12 - index }));
    const { series, columns } = stackOf(ledger(many), 'agent', 'cost');
    expect([series.length, series[0], series.at(-1)]).toEqual([8, 'a0', REST]);
    expect(columns[1]?.pieces.at(-1)).toMatchObject({ key: REST, sums: { calls: 5, cost_usd: 15 } });
  });
});

describe('costs in words', () => {
  // spec: UI-83, UI-125
  it.each([
    [{ calls: 2, cost_usd: 10.139, unknown: 0 }, '$10.14', '$10.14'],
    [{ calls: 15, cost_usd: 10.139, unknown: 14 }, '$10.14 + 14 unknown', '$10.14 + ?'],
    [{ calls: 3, cost_usd: 0, unknown: 3 }, 'unknown', '?'],
    [{ calls: 3, cost_usd: 0, unknown: 0 }, '$0.0000', '$0.0000'],
    [{ calls: 3, cost_usd: 0, unknown: 1 }, '$0.0000 + 1 unknown', '$0.0000 + ?'],
    [{ calls: 1, cost_usd: 0.5, unknown: 0, estimated: 1 }, '≈$0.5000', '≈$0.5000']
  ])('never show an unknown price as nothing: %o', (sums, long, short) => {
    expect([spent({ ...NONE, ...sums }, t).replace(/≈\s/, '≈'), shortSpent({ ...NONE, ...sums }, t).replace(/≈\s/, '≈')]).toEqual([long, short]);
  });

  it('give each series a colour of its own, the same whatever its place', () => {
    const keys = ['default', 'reader', 'coder', 'analyst', 'scribe', 'writer'];
    const one = coloursOf(keys, 'agent');
    const other = coloursOf([...keys].reverse(), 'agent');
    expect(new Set(keys.map(key => one.get(key))).size).toBe(keys.length);
    expect(keys.map(key => other.get(key))).toEqual(keys.map(key => one.get(key)));
  });

  it('name each span of a period differently, by the day that the ledger names whatever the zone', () => {
    const days = Array.from({ length: 30 }, (_one, back) => new Date(Date.UTC(2026, 10, 1 + back)).toISOString().slice(0, 10));
    const months = Array.from({ length: 12 }, (_one, month) => `2026-${String(month + 1).padStart(2, '0')}`);
    for (const language of ['en', 'vi'] as const) {
      const say = translate(language);
      expect(new Set(days.map(day => spanName(day, 'month', say))).size).toBe(30);
      expect(new Set(months.map(month => spanName(month, 'all', say))).size).toBe(12);
      expect(new Set(days.slice(0, 7).map(day => spanName(day, 'week', say))).size).toBe(7);
    }
    expect(longSpanName('2026-11-30', 'week', t)).toBe('Mon, November 30');
  });

  it('write the value axis with as many digits as its smallest step needs', () => {
    expect([axisFigures(1.2, 'cost', t)(0.8), axisFigures(0.004, 'cost', t)(0.001), axisFigures(0, 'cost', t)(0)]).toEqual(['$0.80', '$0.0010', '$0.00']);
    expect([axisFigures(2e6, 'tokens', t)(1.5e6), axisFigures(9, 'calls', t)(3)]).toEqual(['1.5M', '3']);
  });
});

describe('the regions of costs and settings', () => {
  let world: ManagedWorld;
  const usage = (period: string): string => `GET stats/parts?period=${period}`;

  beforeEach(async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-30T14:00:00+00:00') });
    world = new ManagedWorld();
    for (const period of ['week', 'month', 'all']) {
      world.reply(usage(period), { status: 200, body: { ...ledger([part({})]), period } });
    }
    world.reply('GET settings/person', { status: 200, body: { name: 'An', department: null, organisation: null } });
    world.reply('GET version', { status: 200, body: { version: '1.2', entry: 'remoteEntry.aaaaaaaa.js', language: 'en' } });
    world.crew.start();
    world.manager.start();
    await settle();
  });
  afterEach(() => {
    world.manager.stop();
    world.crew.stop();
    vi.useRealTimers();
  });

  // spec: UI-3, UI-83
  it('reads the ledger of the period that is shown, and again when a run has ended while it is open', async () => {
    const ends = async (id: string): Promise<void> => {
      world.tellCrew({ type: 'run', run: run({ id, status: 'done', ended_at: '2030-01-01T00:00:00+00:00' }) });
      await vi.advanceTimersByTimeAsync(1100);
    };
    await ends('r0');
    expect(world.count(usage('week'))).toBe(0);
    world.manager.go('costs');
    await settle();
    expect(world.manager.costs.of('week').getSnapshot().data?.parts.length).toBe(1);
    world.manager.costs.show('month');
    await settle();
    await ends('r1');
    expect([world.count(usage('week')), world.count(usage('month'))]).toEqual([1, 2]);
    world.manager.go('tools');
    await ends('r2');
    expect(world.count(usage('month'))).toBe(2);
  });

  it('keeps what was read when reading again fails, and says why', async () => {
    await world.manager.costs.load();
    world.reply(usage('week'), new Error('gone'));
    await world.manager.costs.load();
    const state = world.manager.costs.of('week').getSnapshot();
    expect([state.data?.parts.length, state.failure?.message]).toEqual([1, 'gone']);
  });

  // spec: PTL-152, UI-101
  it('saves the lines about the person; what is refused has its reason by field and changes nothing', async () => {
    const { settings } = world.manager;
    world.manager.go('settings');
    await settle();
    const refused = { code: 'invalid', message: 'too long', field: 'name', fields: { name: 'too long' } };
    world.reply('PUT settings/person', { status: 422, body: refused }, { status: 200, body: { name: 'B', department: null, organisation: null } });
    expect(await settings.save({ name: 'x', department: null, organisation: null })).toBe(false);
    expect(settings.acts.getSnapshot().failures['person']?.fields['fields']).toEqual({ name: 'too long' });
    expect(settings.person.getSnapshot().data?.name).toBe('An');
    expect(await settings.save({ name: 'B', department: null, organisation: null })).toBe(true);
    expect(settings.person.getSnapshot().data?.name).toBe('B');
  });

  // spec: UI-103, UI-76
  it('keeps the filters of the run history on the device, and never lets them hide a failure of another agent', async () => {
    const after = '2030-01-01T00:00:00+00:00';
    world.reply('GET activity/runs?limit=50', { status: 200, body: { runs: [run({ id: 'bad', agent_id: 'reader', status: 'error', started_at: after, ended_at: after })], more: false } });
    world.reply('GET activity/runs?agent_id=coder&limit=50', { status: 200, body: { runs: [], more: false } });
    await world.manager.runs.filter({ agent: 'coder', end: 'error' });
    const again = new ManagedWorld();
    world.storage.map.forEach((value, key) => again.storage.map.set(key, value));
    for (const [what, answers] of world.replies) {
      again.reply(what, ...answers);
    }
    const reopened = again.reopen();
    expect(reopened.runs.getSnapshot()).toMatchObject({ agent: 'coder', end: 'error', source: null });
    await reopened.runs.load();
    expect([reopened.runs.getSnapshot().runs, reopened.runs.getSnapshot().newest.map(one => one.id)]).toEqual([[], ['bad']]);
    await reopened.runs.filter({ agent: null, end: null });
    expect([...again.storage.map.keys()].some(key => key.endsWith('runs-filter'))).toBe(false);
  });

  it('lets go of a kept filter whose agent is no longer there', async () => {
    await world.manager.runs.filter({ agent: 'gone' });
    expect(world.manager.runs.getSnapshot()).toMatchObject({ agent: null, loading: 'ready' });
  });
});
