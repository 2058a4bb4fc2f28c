import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView } from '@crew/shared/contract';
import { browserOf, desktopOf } from '@crew/shared/manage/team/blocks';
import { errorsOf, errorsUnder, sectionsWith, without } from '@crew/shared/manage/team/errors';
import { FIELDS, fieldOf, fieldsOf, sectionsOf } from '@crew/shared/manage/team/fields';
import { wrongHosts } from '@crew/shared/manage/team/hosts';
import { newSchedule, scheduleForm, scheduleWire } from '@crew/shared/manage/team/schedules';
import { shellVerdict } from '@crew/shared/manage/team/shell';
import { heldRows, toolRows } from '@crew/shared/manage/team/tools';
import { changesOf, toForm, toWire } from '@crew/shared/manage/team/values';
import { browserLine, desktopLines } from '@crew/manager/connections/states';
import { translate } from '@crew/shared/texts';
import { agent } from '../chat/data';
import { settle } from '../shared/world';
import { ManagedWorld } from './world';

const cases = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8'));
const field = (key: string) => fieldOf(key) ?? expect.fail(key);

describe('between a profile and its form', () => {
  // spec: UI-86, AGT-36
  it('says nothing that the file says already, for every kind of key', () => {
    const declared = {
      ...{ tools: null, name: 'Ada', max_steps: 7, cost_cap_usd: 0, autonomous: false, shell_ask_patterns: ['rm -r ', ' x'], write_paths: [] },
      ...{ routes: ['fake:echo'], telegram: { token_env: 'T', chat_id: -5 }, schedules: [{ id: 'a', cron: '0 8 * * *', prompt: 'hi', skills: ['s'] }] }
    };
    const one = agent('ada', 'Ada', { declared });
    const edits = Object.fromEntries(FIELDS.map(({ key }) => [key, toForm(field(key), declared[key as keyof typeof declared])]));
    expect(changesOf(one, edits)).toEqual({});
  });

  it.each<[string, unknown, unknown]>([
    ['max_steps', ' 9 ', 9],
    ['max_steps', 'many', 'many'],
    ['max_steps', '', null],
    ['cost_cap_usd', '1.5', 1.5],
    ['autonomous', 'false', false],
    ['autonomous', '', null],
    ['mode', 'work', 'work'],
    ['write_paths', ' out \n\ndata', ['out', 'data']],
    ['write_paths', '', []],
    ['write_paths', null, null],
    ['shell_ask_patterns', 'rm -r \n\n| sh', ['rm -r ', '| sh']],
    ['routes', ['a:b', ' '], ['a:b']],
    ['routes', [], null],
    ['tools', [], []],
    ['schedules', [], null],
    ['telegram', { token_env: ' T ', chat_id: '-5', approval_ttl_seconds: '' }, { token_env: 'T', chat_id: -5 }],
    ['telegram', { token_env: 'T', chat_id: 'x', approval_ttl_seconds: '60' }, { token_env: 'T', chat_id: 'x', approval_ttl_seconds: 60 }]
  ])('sends %s %j as %j', (key, typed, sent) => {
    expect(toWire(field(key), typed as never)).toEqual(sent);
  });

  // spec: JOB-3, UI-91
  it('gives an entry exactly one moment and one thing to do, and keeps what was typed for the other', () => {
    const form = { ...newSchedule(1), id: 'a', every: '2h', text: 'ls', timeout_s: '60', then_prompt: 'well?', skills: 'one, two', enabled: false };
    expect(scheduleWire({ ...form, when: 'every', what: 'command' })).toEqual({ id: 'a', every: '2h', command: 'ls', skills: ['one', 'two'], timeout_s: 60, enabled: false });
    expect(scheduleWire({ ...form, what: 'script', enabled: true })).toEqual({ id: 'a', cron: '0 8 * * *', script: 'ls', then_prompt: 'well?', skills: ['one', 'two'] });
    expect(scheduleForm({ every: '1d', script: 'print(1)' }, 3)).toMatchObject({ when: 'every', what: 'script', text: 'print(1)', enabled: true, mark: 3 });
  });

  // spec: AGT-34
  it('draws nothing of browser and desktop where an older server leaves them out', () => {
    const now = agent('ada', 'Ada', { browser: 'off', browser_hosts: null, computer: 'off', computer_apps: [] });
    const { browser: _b, browser_hosts: _h, computer: _c, computer_apps: _a, ...old } = now;
    expect(sectionsOf(old as AgentView)).not.toContain('browser');
    expect(sectionsOf(old as AgentView)).not.toContain('desktop');
    expect(sectionsOf(now)).toEqual(expect.arrayContaining(['browser', 'desktop']));
    expect(fieldsOf('persona', old as AgentView)).toHaveLength(2);
    expect([browserOf(null), desktopOf(null)]).toEqual([null, null]);
    expect(browserOf({ browser: { enabled: false, missing: 'browser' } } as never)).toMatchObject({ enabled: false, missing: 'browser', installed: false });
    expect(desktopOf({ desktop: { present: false } } as never)).toMatchObject({ present: false, locked: null });
  });
});

describe('the machine in words', () => {
  const t = translate('en');

  it('names what the helper of the desktop lacks, and nothing that it does not say', () => {
    const helper = { present: true, version: '0.1.0', locked: false, display_asleep: null, screen_recording: true, accessibility: false };
    expect(desktopLines(helper, t).map(line => [line.text, line.good])).toEqual([
      ['The desktop helper answers, version 0.1.0.', true],
      ['It may not operate other apps.', false]
    ]);
    expect(desktopLines({ ...helper, present: false }, t)).toHaveLength(1);
  });

  it('says of the browser whether it is off, missing or ready', () => {
    const browser = { enabled: true, installed: true, channel: 'chromium', version: '153', missing: '', install_command: '', running: [] };
    expect(browserLine(browser, t)).toEqual({ text: 'Ready, version 153', good: true });
    expect(browserLine({ ...browser, enabled: false }, t).good).toBe(false);
    expect(browserLine({ ...browser, installed: false, missing: 'browser' }, t)).toEqual({ text: 'Not installed', good: false });
  });
});

describe('the list of tools', () => {
  const one = agent('ada', 'Ada', { tools: ['a', 'c', 'tool_script'], listable_tools: ['a', 'b', 'c'], declared: { tools: ['a', 'old'] } });

  // spec: UI-87, TOOL-48
  it('has a row for each tool that a list decides, and one of its own for a name that it does not', () => {
    expect(toolRows(one, ['a', 'old']).map(row => [row.name, row.listed])).toEqual([['a', true], ['b', true], ['c', true], ['old', false]]);
    expect(toolRows({ ...one, declared: {} }, null).map(row => row.name)).toEqual(['a', 'b', 'c']);
  });

  // spec: UI-87, TOOL-48
  it('begins with what the agent holds among the rows, not with all there are', () => {
    expect(heldRows(one)).toEqual(['a', 'c']);
  });
});

describe('what the editor judges itself', () => {
  // spec: SHL-89, SHL-26, SHL-27, SHL-29, SHL-34
  it.each(cases('shell_cases') as { command: string; deny: string[]; ask: string[]; allow: string[] }[])('meets the lists as the gate does: $command', ({ command, deny, ask, allow, ...said }) => {
    expect(shellVerdict(command, { deny, ask, allow })).toEqual(said);
  });

  // spec: UI-88, BRW-14, BRW-15
  it.each(cases('host_cases') as [string, boolean][])('takes %s for a host: %s', (line, good) => {
    expect(wrongHosts(`${line}\n`)).toEqual(good ? [] : [line]);
  });
});

describe('a refused save', () => {
  const failure = (status: number, fields: Record<string, unknown>) => ({ code: 'x', status, message: 'No.', fields });

  // spec: UI-86, AGT-18
  it('speaks of each field by its key, down to an entry of a list', () => {
    const errors = errorsOf(failure(422, { field: 'max_steps', fields: { max_steps: 'A.', 'schedules[2].cron': 'B.' } }));
    expect(errors).toEqual({ max_steps: 'A.', 'schedules[2].cron': 'B.' });
    expect([sectionsWith(errors), errorsUnder(errors, 'schedules'), without(errors, 'schedules')]).toEqual([['limits', 'schedules'], ['B.'], { max_steps: 'A.' }]);
    expect(errorsOf(failure(422, { field: 'routes' }))).toEqual({ routes: 'No.' });
    expect(errorsOf(failure(409, { field: 'routes' }))).toEqual({});
    expect(sectionsWith({ nonsense: 'x' })).toEqual([]);
  });
});

describe('the store of the team', () => {
  let world: ManagedWorld;
  const ada = agent('ada', 'Ada', { declared: { tools: null, max_steps: 7 }, tools: ['a'], listable_tools: ['a', 'b'] });
  const team = () => world.manager.team;

  beforeEach(async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-30T14:00:00+00:00') });
    world = new ManagedWorld();
    world.reply('GET agents', { status: 200, body: { agents: [ada] } });
    world.reply('GET agents/ada/persona', { status: 200, body: { files: { 'PERSONA.md': 'Calm.', 'INSTRUCTIONS.md': '' } } });
    world.crew.start();
    await settle();
    await team().persona('ada').load();
  });
  afterEach(() => {
    world.crew.stop();
    vi.useRealTimers();
  });

  // spec: UI-86, AGT-36
  it('sends only what differs, and nothing for a list that was chosen and taken back', async () => {
    world.reply('PATCH agents/ada', { status: 200, body: ada });
    team().edit(ada, 'max_steps', '9');
    team().edit(ada, 'tools', ['a']);
    team().edit(ada, 'tools', null);
    expect(team().dirty(ada)).toBe(true);
    expect(await team().save(ada)).toBe(true);
    expect(world.bodies('PATCH agents/ada')).toEqual([{ max_steps: 9 }]);
    expect(team().draft('ada').edits).toEqual({});
    team().edit(ada, 'max_steps', ' 7 ');
    expect(team().dirty(ada)).toBe(false);
  });

  // spec: UI-86, UI-8
  it('keeps what was typed when it is refused, and says it beside the field until that is changed', async () => {
    world.reply('PATCH agents/ada', { status: 422, body: { code: 'invalid', message: 'm', field: 'max_steps', fields: { max_steps: 'At least 1.' } } });
    team().edit(ada, 'max_steps', '0');
    expect(await team().save(ada)).toBe(false);
    expect(team().formValue(ada, 'max_steps')).toBe('0');
    expect([team().draft('ada').errors, team().draft('ada').refused, team().draft('ada').failure?.status]).toEqual([{ max_steps: 'At least 1.' }, 1, 422]);
    team().edit(ada, 'max_steps', '1');
    expect([team().draft('ada').errors, team().draft('ada').failure]).toEqual([{}, null]);
    expect(team().unsaved([ada])).toEqual(['ada']);
    team().discard('ada');
    expect([team().formValue(ada, 'max_steps'), team().unsaved([ada])]).toEqual(['7', []]);
  });

  it('saves a persona file by its own route, and only the one that was changed', async () => {
    world.reply('PUT agents/ada/persona', { status: 200, body: { files: { 'PERSONA.md': 'Quick.', 'INSTRUCTIONS.md': '' } } });
    expect(team().formValue(ada, 'PERSONA.md')).toBe('Calm.');
    team().edit(ada, 'PERSONA.md', 'Quick.');
    expect(await team().save(ada)).toBe(true);
    expect([world.bodies('PUT agents/ada/persona'), world.bodies('PATCH agents/ada')]).toEqual([[{ files: { 'PERSONA.md': 'Quick.' } }], []]);
    expect([team().formValue(ada, 'PERSONA.md'), team().dirty(ada)]).toEqual(['Quick.', false]);
  });

  it('keeps what is typed while a save is on its way', async () => {
    world.reply('PATCH agents/ada', { status: 200, body: ada });
    team().edit(ada, 'max_steps', '9');
    const saving = team().save(ada);
    expect(await team().save(ada)).toBe(false); // once is enough
    team().edit(ada, 'name', 'Ada L.');
    await saving;
    expect(team().draft('ada').edits).toEqual({ name: 'Ada L.' });
  });

  it('has the agent gone, with the place of its folder, only when the server says so', async () => {
    world.reply('DELETE agents/ada', { status: 409, body: { code: 'directory_busy', message: 'busy' } });
    expect([await team().remove('ada'), team().getSnapshot().removed]).toEqual([false, null]);
    world.reply('DELETE agents/ada', { status: 200, body: { removed: 'ada', moved_to: '/home/trash/ada-1' } });
    world.reply('GET agents/templates', { status: 200, body: { templates: [] } });
    expect(await team().remove('ada')).toBe(true);
    expect(team().getSnapshot().removed?.moved_to).toBe('/home/trash/ada-1');
  });

  // spec: UI-101, CHN-45
  it('keeps no value of a key, and shows the answer of a check until the key is changed', async () => {
    const { keys } = world.manager;
    world.reply('PUT connections/keys/A_KEY', { status: 409, body: { code: 'would_break', message: 'Routes would break.' } });
    expect(await keys.save('A_KEY', 'hidden-value')).toBe(false);
    expect(keys.acts.getSnapshot().failures['A_KEY']?.message).toBe('Routes would break.');
    world.reply('POST connections/keys/A_KEY/check', { status: 200, body: { ok: false, message: 'refused' } });
    await keys.check('A_KEY');
    expect(keys.getSnapshot()).toEqual({ A_KEY: { ok: false, message: 'refused' } });
    world.reply('PUT connections/keys/A_KEY', { status: 200, body: {} });
    expect(await keys.save('A_KEY', 'hidden-value')).toBe(true);
    expect(keys.getSnapshot()).toEqual({});
    expect(JSON.stringify([keys.getSnapshot(), keys.acts.getSnapshot()])).not.toContain('hidden');
  });
});
