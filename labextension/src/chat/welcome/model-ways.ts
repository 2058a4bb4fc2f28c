/** The ways to a (better) model, the best first, with the exact commands (mock 10). Pure. */
import type { Answering } from '../../shared/contract';
import type { TextKey } from '../../shared/texts';
import type { IconName } from '../parts/svgs';

export interface Way {
  icon: IconName;
  title: TextKey;
  text: TextKey;
  commands: string[];
}

const KEY: Way = { icon: 'key', title: 'model.key', text: 'model.key_text', commands: ['export OPENROUTER_API_KEY=…', 'export ANTHROPIC_API_KEY=…'] };
const OLLAMA: Way = { icon: 'connections', title: 'model.ollama', text: 'model.ollama_text', commands: ['ollama pull qwen3'] };
const LOCAL: Way = { icon: 'model', title: 'model.local', text: 'model.local_text', commands: ['crewlab local install'] };
const GGUF: Way = { icon: 'document', title: 'model.gguf', text: 'model.gguf_text', commands: ['crewlab local add FILE.gguf'] };

/** What the card offers: nothing when a good model answers. */
export function waysFor(answering: Answering): Way[] {
  if (answering.route !== null && !answering.small) {
    return [];
  }
  return answering.route === null ? [KEY, OLLAMA, LOCAL] : [KEY, OLLAMA, GGUF];
}
