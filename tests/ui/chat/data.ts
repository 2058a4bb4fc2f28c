/** Plain states for the tests of the views. */
import type { AgentView, Approval, ConversationSummary, NestedCall, Run, Step } from '@crew/shared/contract';
import type { ActivityState, AgentsState, ConversationState, ListState } from '@crew/shared/stores/types';
import type { ConversationView, ThreadItem } from '@crew/shared/view';

export const AT = '2026-11-30T14:02:00+00:00';

export function summary(id: string, changes: Partial<ConversationSummary> = {}): ConversationSummary {
  return {
    id,
    agent_id: 'master',
    title: `Title ${id}`,
    source: 'chat',
    created_at: AT,
    updated_at: AT,
    autonomous: false,
    auto_approve: [],
    skills: [],
    cost_cap_usd: 2,
    spent_usd: 0,
    unknown_cost_calls: 0,
    estimated_cost_calls: 0,
    delegated_usd: 0,
    approval_ttl_seconds: null,
    forked_from: null,
    parent_id: null,
    parent_call_id: null,
    plan: false,
    vibe: false,
    tier_cap: 'exec',
    running: false,
    pending: null,
    ...changes
  };
}

export function conversationState(view: Partial<ConversationView> = {}, rest: Partial<ConversationState> = {}): ConversationState {
  const { pending: _pending, ...head } = summary('c1');
  return {
    id: 'c1',
    back: null,
    loading: 'ready',
    failure: null,
    gone: false,
    born: false,
    lock: null,
    sending: false,
    stopping: false,
    unsent: null,
    stopNotice: null,
    deciding: false,
    decisionFailure: null,
    patchFailure: null,
    ...rest,
    view: { conversation: head, items: [], queued: [], tasks: [], pending: null, running: false, thinking: false, end: null, spent_usd: 0, unknown_cost_calls: 0, estimated_cost_calls: 0, ...view }
  };
}

export function emptyList(): ListState {
  return { loading: 'ready', failure: null, conversations: [], more: false, unread: new Set() };
}

export function emptyActivity(): ActivityState {
  const revisions = { jobs: 0, tools: 0, artifacts: 0, workers: 0 };
  return { view: { runs: [], ended: [], pending: 0, conversations: {}, snapshots: 0, revisions }, approvals: [], history: {} };
}

export function agent(id: string, name: string, changes: Partial<AgentView> = {}): AgentView {
  return {
    id,
    name,
    description: '',
    master: id === 'master',
    mode: 'chat',
    origin: 'profile',
    live: true,
    workspace: '/w',
    routes: null,
    escalation_route: null,
    delegates: [],
    toolset: 'crew',
    extra_tools: [],
    autonomous: false,
    max_steps: 60,
    cost_cap_usd: 2,
    approval_ttl_seconds: 1800,
    tool_output_chars: 1,
    tools: [],
    listable_tools: [],
    declared: {},
    tier_cap: 'exec',
    write_paths: null,
    shell_ask_patterns: [],
    shell_allow_patterns: [],
    shell_deny_patterns: [],
    warnings: [],
    ...changes
  } as AgentView; // the other keys of a profile are for the editor; no view of the chat reads them
}

export function emptyAgents(): AgentsState {
  return { loading: 'ready', failure: null, agents: [agent('master', 'Master')], connections: null, answering: { route: 'fake:echo', small: false, mend: '' } };
}

type Of<K extends ThreadItem['kind']> = Extract<ThreadItem, { kind: K }>;

export function user(text: string, changes: Partial<Of<'user'>> = {}): Of<'user'> {
  return { kind: 'user', key: `u:${text}`, message_id: 1, text, created_at: AT, steered: false, sending: false, typed: null, files: [], ...changes };
}

export function answer(text: string, changes: Partial<Of<'answer'>> = {}): Of<'answer'> {
  return { kind: 'answer', key: `a:${text}`, message_id: 2, text, model: 'fake:echo', cost_usd: null, created_at: AT, partial: null, streaming: false, relayed_from: null, ...changes };
}

export function tool(name: string, changes: Partial<Of<'tool'>> = {}): Of<'tool'> {
  return {
    kind: 'tool',
    key: `t:${name}`,
    tool_call_id: name,
    name,
    arguments: {},
    state: 'done',
    output: '',
    ms: 300,
    cost_usd: null,
    shortened: null,
    original_chars: null,
    received_chars: null,
    printed_chars: null,
    calls: [],
    stream: '',
    next_index: 0,
    ...changes
  };
}

export function nested(name: string, ok = true): NestedCall {
  return { name, arguments: {}, ok, output: ok ? '' : 'footer is missing', ms: 100, cost_usd: null, metered: false, gated: null, child_spent_usd: null };
}

export function approval(changes: Partial<Approval> = {}): Approval {
  return {
    id: 'ap1',
    conversation_id: 'c1',
    agent_id: 'master',
    run_id: 'r1',
    call_id: 't1',
    kind: 'tool',
    tool: 'workspace_write',
    arguments: { path: 'notes.md', content: 'Hello' },
    summary: null,
    preview: null,
    reason: null,
    question: null,
    options: [],
    default: null,
    context: null,
    allow_free_text: true,
    multi_select: false,
    nested_in: null,
    status: 'pending',
    always: false,
    answer: null,
    labels: [],
    skipped: false,
    again: false,
    read_before: null,
    created_at: new Date(Date.now() - 60_000).toISOString(),
    expires_at: new Date(Date.now() + 18 * 60_000 + 12_500).toISOString(),
    decided_at: null,
    ...changes
  };
}

export function step(index: number, kind: string, changes: Partial<Step> = {}): Step {
  return {
    index,
    kind: kind as Step['kind'],
    status: 'done',
    started_at: AT,
    ms: 100,
    route: null,
    cost_usd: null, cost_estimated: null,
    prompt_tokens: null,
    completion_tokens: null,
    cached_tokens: null,
    reasoning_tokens: null,
    tool_call_id: null,
    name: null,
    arguments: null,
    output: null,
    child_id: null,
    shortened: null,
    original_chars: null,
    calls: null,
    received_chars: null,
    printed_chars: null,
    error: null,
    reason: null,
    text: null,
    approval_id: null,
    tool: null,
    outcome: null,
    ...changes
  };
}

export function run(changes: Partial<Run> = {}): Run {
  return {
    id: 'r1',
    agent_id: 'master',
    source: 'chat',
    conversation_id: 'c1',
    status: 'running',
    halt_reason: null,
    summary: '',
    label: null,
    relayed_from: null,
    steps: [],
    cost_usd: 0,
    unknown_cost_calls: 0,
    estimated_cost_calls: 0,
    after_seq: null,
    resumed: false,
    timezone: null,
    started_at: AT,
    ended_at: null,
    ...changes
  };
}
