/** Figures as the guide (12) and UI-125 write them. Words around them are the catalogue's. */

const CENTS_FROM_USD = 1; // UI-125: four decimals below, two from there on

/** `$0.4127`, `$2.18`; null for an unknown price, which the caller calls "unknown" and never 0. */
export function price(usd: number | null, language: string): string | null {
  if (usd === null) {
    return null;
  }
  const digits = Math.abs(usd) < CENTS_FROM_USD ? 4 : 2;
  const amount = number(Math.abs(usd), language, digits);
  return `${usd < 0 ? '−' : ''}$${amount}`;
}

/** `5.8 s`, `1 m 42 s`, `2 h 05 m`. */
export function duration(ms: number, language: string): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 59.95) {
    return `${number(seconds, language, 1)} s`;
  }
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) {
    return `${minutes} m ${two(whole % 60)} s`;
  }
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
}

/** What is left of a countdown: `9:05`; never below zero. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/** `2 m`, `3 h`, `6 d`; null for less than a minute, which the catalogue calls "now". */
export function age(iso: string, now: number): string | null {
  const minutes = Math.floor(Math.max(0, now - Date.parse(iso)) / 60_000);
  if (!(minutes >= 1)) {
    return null;
  }
  const hours = Math.floor(minutes / 60);
  return minutes < 60 ? `${minutes} m` : hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** Which group of the list a time belongs to, by the viewer's own calendar (UI-13). */
export function dayGroup(iso: string, now: Date): 'today' | 'yesterday' | 'older' {
  const then = new Date(iso);
  if (sameDay(then, now) || then > now) {
    return 'today';
  }
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return sameDay(then, yesterday) ? 'yesterday' : 'older';
}

/** The viewer's clock, `14:31`; nothing for what is no time. */
export function clock(time: number | string, language: string): string {
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime())) {
    return '';
  }
  return new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hour12: false }).format(moment);
}

const UNITS = ['B', 'KB', 'MB', 'GB'];
const KIB = 1024;

/** `812 B`, `3.1 KB`, `20 MB`. */
export function formatBytes(bytes: number, language: string): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= KIB && unit < UNITS.length - 1) {
    amount /= KIB;
    unit += 1;
  }
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: unit === 0 ? 0 : 1 }).format(amount)} ${UNITS[unit]}`;
}

/** Counts with the separators of the language: `1,842,310`. */
export function count(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

function number(value: number, language: string, digits: number): string {
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function sameDay(one: Date, other: Date): boolean {
  return one.getFullYear() === other.getFullYear() && one.getMonth() === other.getMonth() && one.getDate() === other.getDate();
}
