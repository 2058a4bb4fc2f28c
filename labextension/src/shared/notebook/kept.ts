/** Which conversation the outputs of a cell name (UI-152). Pure. */

const ID = /^c_[\w-]{1,80}$/;

/** The last one that is named; null when none is. An output may be text from elsewhere, so only what looks like an id counts. */
export function conversationIn(metadata: readonly unknown[]): string | null {
  const named = metadata.map(one => (one as { crewlab?: { conversation?: unknown } } | null | undefined)?.crewlab?.conversation);
  const ids = named.filter((id): id is string => typeof id === 'string' && ID.test(id));
  return ids.at(-1) ?? null;
}
