/** What each kind of canvas can do on the screen (CNV-113, CNV-121) and how large a version may be (CNV-6). Pure. */
import type { Artifact, ArtifactKind } from '../contract';

const KB = 1024; // CNV-7
const MB = 1024 * KB;

/** The largest version of a kind, in bytes (CNV-6). */
export const CAPS: Record<ArtifactKind, number> = {
  markdown: 512 * KB,
  code: 512 * KB,
  mermaid: 512 * KB,
  html: 4 * MB,
  svg: 2 * MB,
  image: 2 * MB
};

/** Kinds whose shown form is something else than their text. */
const SOURCES = new Set<ArtifactKind>(['markdown', 'html', 'svg', 'mermaid']);
const PAGES = new Set<ArtifactKind>(['html', 'mermaid']); // CNV-114
const FILES: Partial<Record<ArtifactKind, string>> = { markdown: 'canvas.md', html: 'canvas.html', svg: 'canvas.svg', mermaid: 'canvas.mmd' };

/** Whether the person can switch between the shown form and the source (CNV-121). */
export function hasSource(kind: ArtifactKind): boolean {
  return SOURCES.has(kind);
}

/** Whether it has a page that runs in an opaque origin (CNV-114). */
export function hasPage(kind: ArtifactKind): boolean {
  return PAGES.has(kind);
}

/** Whether its content is text. */
export function isText(kind: ArtifactKind): boolean {
  return kind !== 'image';
}

/** A file name that tells an editor which language to colour; null for code, whose language is named. */
export function fileLike(kind: string): string | null {
  return FILES[kind as ArtifactKind] ?? null;
}

/** As which cell it can be put into a notebook (UI-141); null for none. A diagram goes in as a block of Markdown. */
export function cellKind(kind: ArtifactKind): 'code' | 'markdown' | null {
  return kind === 'code' ? 'code' : kind === 'markdown' || kind === 'mermaid' ? 'markdown' : null;
}

/** The source of the cell. */
export function cellSource({ kind }: Pick<Artifact, 'kind'>, text: string): string {
  if (kind !== 'mermaid') {
    return text;
  }
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}mermaid\n${text.replace(/\n$/, '')}\n${fence}`;
}
