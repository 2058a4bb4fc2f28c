/** The cap of a conversation in figures (UI-19). Pure. */

const DEFAULT_STEP = 2; // USD, when the agent's own cap is not known or is none

/** The next cap: one further step, which is the agent's default cap. */
export function nextCap(cap: number, agentCap: number | undefined): number {
  const step = agentCap && agentCap > 0 ? agentCap : DEFAULT_STEP;
  return Math.round((cap + step) * 100) / 100;
}

/** What a person typed as an amount; null when it is none. A comma counts as a point. */
export function amountOf(text: string): number | null {
  const plain = text.trim().replace(/^\$/, '').replace(',', '.');
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** The spent share of the cap, 0 without a cap. */
export function shareOf(spent: number, cap: number): number {
  return cap > 0 ? spent / cap : 0;
}
