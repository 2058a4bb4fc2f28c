/** `?crewlab=<section>[/<rest>]`: a place of crewlab that a link from outside leads to (UI-78). Pure. */

export interface Place {
  section: string;
  rest: string | null;
}

const NAME = 'crewlab';

/** The place that an address names and the address without it; null when it names none. */
export function takePlace(address: string): { place: Place; rest: string } | null {
  const url = new URL(address);
  const value = url.searchParams.get(NAME);
  if (value === null) {
    return null;
  }
  // only this parameter goes; the others keep the form in which they were written
  const others = url.search.slice(1).split('&');
  url.search = others.filter(part => !new URLSearchParams(part).has(NAME)).join('&');
  const [, section = '', rest] = /^([^/]*)(?:\/(.*))?$/s.exec(value) ?? [];
  return { place: { section, rest: rest || null }, rest: url.href };
}
