import { describe, expect, it } from 'vitest';
import { cellOf, comesWith, legendOf, type Mark, SIGNS } from '@crew/shared/manage/marks';
import { agent } from '../chat/data';
import { tool } from './world';

const coder = agent('coder', 'Coder', { mode: 'work' });
const chat = agent('chat', 'Chat', { mode: 'chat' });

describe('the marks of tools against agents', () => {
  // spec: TOOL-47, TOOL-45
  it.each<[string, Parameters<typeof tool>[1], Parameters<typeof agent>[2], Mark, string | null]>([
    ['held', { agents: ['coder'] }, {}, 'holds', null],
    ['not in the list of the file', {}, { declared: { tools: ['workspace_read'] } }, 'listed', null],
    ['an optional one', { optional: true }, {}, 'key_or_route', null],
    ['of a server that is not enabled', { server: 'papers' }, { declared: { tools: [] } }, 'server', null],
    ['of a server that is enabled', { server: 'papers' }, { declared: { mcp: ['papers'] } }, 'off', 'mcp'],
    ['the search for MCP tools', { with_mcp: true }, { declared: { tools: [] } }, 'no_mcp', null],
    ['the script without reading tools', { with_reads: true }, {}, 'no_reads', null],
    ['the script that is forbidden', { with_reads: true }, { declared: { script_calls: 'none' } }, 'no_script', null],
    ['of the browser', { with_browser: true, tier: 'exec' }, { tier_cap: 'read', mode: 'chat', declared: { tools: [] } }, 'off', 'browser'],
    ['of the desktop', { with_desktop: true }, {}, 'off', 'computer'],
    ['of code', { with_code: true, comes_with: 'code' }, {}, 'off', 'code'],
    ['of code above the cap', { with_code: true, tier: 'exec' }, { tier_cap: 'read' }, 'tier', null],
    ['of vibe mode', { with_vibe: true }, {}, 'off', 'vibe'],
    ['above the cap', { tier: 'write' }, { tier_cap: 'read' }, 'tier', null],
    ['brought by a key', { comes_with: 'budget_tool' }, { declared: { tools: [] } }, 'off', 'budget_tool'],
    ['outside of the toolset', {}, { toolset: 'portal', declared: { tools: [] } }, 'toolset', null]
  ])('a tool %s', (_what, row, changes, mark, key) => {
    expect(cellOf(tool('fetch_url', row), agent('coder', 'Coder', { mode: 'work', ...changes }))).toEqual({ mark, key });
  });

  // spec: TOOL-47
  it('says the mode only of what the mode decides, and never "excluded" of an agent without a list', () => {
    expect(cellOf(tool('workspace_edit', { agents: ['coder'] }), chat).mark).toBe('mode');
    expect(cellOf(tool('fetch_url'), agent('a', 'A', { declared: {} })).mark).toBe('key_or_route');
  });

  // spec: SCR-237
  it('tells an agent that could call nothing from one that is set not to use scripts', () => {
    const row = tool('tool_script', { with_reads: true, agents: ['coder'] });
    const set = agent('shy', 'Shy', { declared: { script_calls: 'none' } });
    expect([cellOf(row, chat).mark, cellOf(row, set).mark, SIGNS.no_reads, SIGNS.no_script]).toEqual(['no_reads', 'no_script', '∅', '⊘']);
    expect(comesWith(row)).toBe('reads');
    expect(legendOf([row], [coder, chat])).toEqual(expect.arrayContaining(['no_reads']));
    expect(legendOf([row], [coder, chat])).not.toContain('no_script');
    expect(legendOf([row], [coder, set])).toContain('no_script');
    expect(legendOf([tool('fetch_url')], [coder, set])).not.toContain('no_reads');
    expect(legendOf([tool('fetch_url')], [coder, set])).not.toContain('no_script');
  });

  // spec: TOOL-47
  it('explains the rarer marks only when the table has them', () => {
    expect(legendOf([tool('a', { agents: ['coder'] })], [coder])).toEqual(['holds', 'listed', 'mode', 'key_or_route']);
    expect(legendOf([tool('s', { with_reads: true })], [coder])).toContain('no_reads');
    expect(legendOf([tool('s', { with_reads: true })], [coder])).not.toContain('no_script');
  });

  // spec: TOOL-47
  it('labels the rows that follow something else than a list', () => {
    expect([{}, { with_mcp: true }, { with_reads: true }, { with_browser: true }, { with_desktop: true }, { with_code: true }, { with_vibe: true }, { server: 's' }].map(row => comesWith(tool('x', row)))).toEqual([
      ...[null, 'mcp', 'reads', 'browser', 'desktop', 'code', 'vibe', 'server']
    ]);
  });
});
