import { useEffect } from 'react';
import { Avatar } from '../../chat/parts/avatar';
import { useApp } from '../../chat/parts/context';
import { useSelect, useStore } from '../../chat/parts/hooks';
import type { AgentMemoryView, AgentView } from '../../shared/contract';
import { useManager } from '../app';
import { Empty, Region } from '../parts/page';

/** Each agent's `MEMORY.md` with its size, and its newest day notes (UI-97, MEMF-17). */
export function AgentMemories(): JSX.Element {
  const app = useApp();
  const agents = useSelect(app.agents, state => state.agents);
  return (
    <div className="crew-stack">
      {agents.map(agent => (
        <AgentMemory key={agent.id} agent={agent} />
      ))}
    </div>
  );
}

function AgentMemory({ agent }: { agent: AgentView }): JSX.Element {
  const source = useManager().manager.memory.agent(agent.id);
  const state = useStore(source);
  useEffect(() => void source.load(), [source]);
  return (
    <section className="crew-card crew-agentmemory" aria-label={agent.name}>
      <div className="head">
        <Avatar id={agent.id} name={agent.name} />
        <h2 className="crew-grow">{agent.name}</h2>
        {state.data && state.data.chars > 0 ? <Size memory={state.data} /> : null}
      </div>
      <Region state={state} has={state.data !== null} rows={2} retry={() => void source.load()}>
        {state.data ? <Content memory={state.data} name={agent.name} /> : null}
      </Region>
    </section>
  );
}

function Size({ memory }: { memory: AgentMemoryView }): JSX.Element {
  const { t } = useApp();
  const over = memory.chars > memory.cap;
  return (
    <span className={over ? 'crew-sm crew-t-warn' : 'crew-sm crew-2'}>{t(over ? 'memory.size_over' : 'memory.size', { chars: memory.chars, cap: memory.cap })}</span>
  );
}

function Content({ memory, name }: { memory: AgentMemoryView; name: string }): JSX.Element {
  const { t } = useApp();
  return (
    <>
      {memory.memory.trim() === '' ? (
        <Empty>{t('memory.empty_file')}</Empty>
      ) : (
        <pre className="crew-code" tabIndex={0} aria-label={t('memory.of', { name })}>
          {memory.memory}
        </pre>
      )}
      {memory.notes.length === 0 && memory.chars > 0 ? <p className="crew-sm crew-2 notes">{t('memory.no_notes')}</p> : null}
      {memory.notes.map(note => (
        <details key={note.day}>
          <summary>{t('memory.day_notes', { day: note.day })}</summary>
          <pre className="crew-code">{note.text}</pre>
        </details>
      ))}
    </>
  );
}
