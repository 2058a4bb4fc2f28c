/** Following the end of the thread (UI-28). Pure. */

const NEAR_END_PX = 32;

export interface Place {
  top: number;
  height: number;
  client: number;
}

export interface Follow {
  following: boolean;
  last: Place;
}

/** At first the end is in view. */
export const AT_END: Follow = { following: true, last: { top: 0, height: 0, client: 0 } };

/** Whether the end is in view, or nearly. */
export function atEnd(place: Place): boolean {
  return place.height - place.top - place.client <= NEAR_END_PX;
}

/**
 * After a scroll: at the end the view follows; going up ends it, but only by the reader's hand. Everything else that
 * moves the place (text drawn anew, a size the browser had guessed, a bar that appears) does not count.
 */
export function scrolled(follow: Follow, place: Place, byHand: boolean): Follow {
  const wentUp = byHand && place.top < follow.last.top;
  return { following: atEnd(place) || (follow.following && !wentUp), last: place };
}

/** Where to scroll after the content or the panel has changed its size; null: the reader stays put. */
export function grown(follow: Follow, place: Place): number | null {
  return follow.following ? Math.max(0, place.height - place.client) : null;
}
