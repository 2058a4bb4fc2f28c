/** A canvas for tests. */
import type { Artifact } from '@crew/shared/contract';

export const ID = 'abcd1234';

/** Its record at a version. */
export function record(version: number, more: Partial<Artifact> = {}): Artifact {
  const at = `2026-11-30T14:${String(version).padStart(2, '0')}:00Z`;
  return {
    ...{ id: ID, title: 'Plan', kind: 'markdown', language: null, version, bytes: 3, source_path: null, agent_id: 'master' },
    ...{ conversation_id: 'cv-1', root_conversation_id: 'cv-1', author: 'agent:master', created_at: at, updated_at: at },
    ...more
  };
}
