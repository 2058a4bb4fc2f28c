/** Code blocks of an answer, as Markdown writes them. Pure. */
import { TICK } from './quote';

export interface CodeBlock {
  language: string;
  code: string;
}

const OPEN = /^ {0,3}(\x60{3,}|~{3,})[ \t]*([^\r\n]*)$/;

/** The fence a line opens, or null: an info string after backticks has no backtick. */
export function opensFence(line: string): { bar: string; info: string } | null {
  const [, bar, info = ''] = OPEN.exec(line) ?? [];
  return bar === undefined || (bar.startsWith(TICK) && info.includes(TICK)) ? null : { bar, info: info.trim() };
}

/** Whether a line closes a fence: the same character, at least as often, and nothing else. */
export function closesFence(line: string, bar: string): boolean {
  const found = /^ {0,3}(\x60{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return found !== undefined && found[0] === bar[0] && found.length >= bar.length;
}

/** The fenced blocks in their order; one that is not closed reaches to the end. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { bar: string; language: string; lines: string[] } | null = null;
  const close = (): void => {
    if (open) {
      blocks.push({ language: open.language, code: open.lines.join('\n') });
      open = null;
    }
  };
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    if (open === null) {
      const fence = opensFence(line);
      open = fence && { bar: fence.bar, language: fence.info.split(/\s/)[0] ?? '', lines: [] };
    } else if (closesFence(line, open.bar)) {
      close();
    } else {
      open.lines.push(line);
    }
  }
  close();
  return blocks;
}
