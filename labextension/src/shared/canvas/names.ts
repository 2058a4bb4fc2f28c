/** Names that are the same in every language. Pure. */
import type { ArtifactKind } from '../contract';
import type { Translate } from '../texts';

const NAMES: Partial<Record<ArtifactKind, string>> = { markdown: 'Markdown', html: 'HTML', svg: 'SVG', mermaid: 'Mermaid' };

/** `v4`, as the tag writes it (CNV-23). */
export function versionName(version: number | string): string {
  return `v${version}`;
}

/** The kind as a person reads it. */
export function kindName(kind: ArtifactKind, t: Translate): string {
  return NAMES[kind] ?? t(kind === 'code' ? 'canvas.kind.code' : 'canvas.kind.image');
}
