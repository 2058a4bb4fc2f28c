/**
 * The catalogue: every word that a person reads in the front end, English with a complete Vietnamese twin (UI-6).
 *
 * A text may hold `{name}`, filled from the values (numbers get the separators of the language), and
 * `[name:one|many]`, which takes the first part when the value is 1.
 */
import { en } from './en';
import { vi } from './vi';

export type Language = 'en' | 'vi';
export type TextKey = keyof typeof en;
export type Values = Readonly<Record<string, string | number>>;

/** A text by its key in one language; `language` decides how figures are written. */
export interface Translate {
  (key: TextKey, values?: Values): string;
  readonly language: Language;
}

const CATALOGUES: Record<Language, Record<TextKey, string>> = { en, vi };
const PLURAL = /\[(\w+):([^|\]]*)\|([^\]]*)\]/g;
const PLACE = /\{(\w+)\}/g;

/** The texts of one language as a function of key and values; what has no value stays as it is written. */
export function translate(language: Language): Translate {
  const catalogue = CATALOGUES[language];
  const numbers = new Intl.NumberFormat(language === 'vi' ? 'vi-VN' : 'en-US');
  const shown = (value: string | number): string => (typeof value === 'number' ? numbers.format(value) : value);
  const text = (key: TextKey, values?: Values): string => {
    const written = catalogue[key];
    if (!values) {
      return written;
    }
    return written
      .replace(PLURAL, (_all, name: string, one: string, many: string) => (values[name] === 1 ? one : many))
      .replace(PLACE, (all, name: string) => {
        const value = values[name];
        return value === undefined ? all : shown(value);
      });
  };
  return Object.assign(text, { language });
}

/** Whether a key exists, for keys that are put together from a name (tools, errors). */
export function isKey(key: string): key is TextKey {
  return Object.hasOwn(en, key);
}
