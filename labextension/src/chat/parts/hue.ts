const HUES = 12; // UI-124
const OFFSET = 0x811c9dc5; // FNV-1a, 32 bits
const PRIME = 0x01000193;

/** Which of the twelve hues an id has: FNV-1a over UTF-8, modulo 12 (UI-124). */
export function hueOf(id: string): number {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(id)) {
    hash = Math.imul(hash ^ byte, PRIME) >>> 0;
  }
  return hash % HUES;
}
