import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import type { AgentView } from '../../shared/contract';
import { sectionsWith } from '../../shared/manage/team/errors';
import { EDITOR_SECTIONS, type EditorSection, sectionsOf } from '../../shared/manage/team/fields';
import { useManager } from '../app';
import { EditingProvider, heldBack } from './editing';
import { EditorHead, Warnings } from './EditorHead';
import { KitNotice } from './KitNotice';
import { RemoveAgent } from './RemoveAgent';
import { SaveBar } from './SaveBar';
import { Section } from './Section';

/** The profile of one agent as one long form with a list of its sections (UI-86, guide section 8). */
export function Editor({ agent, part }: { agent: AgentView; part: string | null }): JSX.Element {
  const { t } = useApp();
  const { team } = useManager().manager;
  const box = useRef<HTMLDivElement>(null);
  const parts = useRef<HTMLElement>(null);
  const sections = sectionsOf(agent);
  const [current, go] = useSections(box, sections, part);
  const refused = useSelect(team, () => team.draft(agent.id).refused);
  const errors = useSelect(team, () => team.draft(agent.id).errors);
  const locked = agent.origin === 'kit';
  useEffect(() => {
    const chosen = parts.current?.querySelector<HTMLElement>('[aria-current]');
    parts.current?.scrollTo({ left: (chosen?.offsetLeft ?? 0) - parts.current.clientWidth / 3 }); // a row of its own where it is narrow
  }, [current]);
  useEffect(() => void team.persona(agent.id).load(), [team, agent.id]);
  useEffect(() => {
    if (refused > 0) {
      focusWrong(box.current);
    }
  }, [refused]);
  const save = (): void => {
    const hosts = team.formValue(agent, 'browser_hosts');
    if (heldBack('browser_hosts', hosts).length > 0) {
      focusWrong(box.current);
    } else {
      void team.save(agent);
    }
  };
  return (
    <EditingProvider value={{ agent, locked }}>
      <article className="crew-editor" aria-label={agent.name}>
        <EditorHead agent={agent} />
        <div className="body">
          <nav ref={parts} className="parts" aria-label={t('team.sections')}>
            {sections.map(section => (
              <button key={section} type="button" aria-current={section === current ? 'true' : undefined} onClick={() => go(section)}>
                <span>{t(`team.section.${section}`)}</span>
                {sectionsWith(errors).includes(section) ? <span className="crew-dot error" role="img" aria-label={t('team.has_error')} /> : null}
              </button>
            ))}
          </nav>
          <div ref={box} className="form">
            <div className="in">
              {locked ? <KitNotice agent={agent} /> : null}
              <Warnings agent={agent} />
              {sections.map(section => (
                <Section key={section} section={section} agent={agent} />
              ))}
              {agent.master || locked ? null : <RemoveAgent agent={agent} />}
            </div>
          </div>
        </div>
        {locked ? null : <SaveBar agent={agent} onSave={save} />}
      </article>
    </EditingProvider>
  );
}

/** Moves to the first field that needs a change (guide section 8). */
function focusWrong(box: HTMLElement | null): void {
  const wrong = box?.querySelector<HTMLElement>('.crew-f.bad :is(input, textarea, select, button)[aria-invalid], .crew-f.bad .control :is(input, textarea, select, button)');
  wrong?.focus();
  wrong?.scrollIntoView({ block: 'center' });
}

const NEAR_PX = 48; // a section counts as read once its heading is this near to the top

/** Which section is at the top, and the way to another; `part` opens at one. */
function useSections(box: React.RefObject<HTMLElement>, sections: readonly EditorSection[], part: string | null): [EditorSection, (section: EditorSection) => void] {
  const [current, setCurrent] = useState<EditorSection>(sections[0] ?? 'identity');
  const go = (section: EditorSection): void => {
    const target = box.current?.querySelector<HTMLElement>(`#crew-part-${section}`);
    target?.scrollIntoView({ block: 'start' });
    target?.focus({ preventScroll: true });
    setCurrent(section);
  };
  const wanted = EDITOR_SECTIONS.find(section => section === part);
  useEffect(() => {
    if (wanted) {
      box.current?.querySelector<HTMLElement>(`#crew-part-${wanted}`)?.scrollIntoView({ block: 'start' });
      setCurrent(wanted);
    }
  }, [box, wanted]);
  useEffect(() => {
    const scroller = box.current;
    const read = (): void => {
      const top = scroller?.getBoundingClientRect().top ?? 0;
      const heads = [...(scroller?.querySelectorAll<HTMLElement>('[data-part]') ?? [])];
      const passed = heads.filter(head => head.getBoundingClientRect().top - top <= NEAR_PX).at(-1);
      const found = EDITOR_SECTIONS.find(section => section === passed?.dataset['part']);
      if (found) {
        setCurrent(found);
      }
    };
    scroller?.addEventListener('scroll', read, { passive: true });
    return () => scroller?.removeEventListener('scroll', read);
  }, [box]);
  return [current, go];
}
