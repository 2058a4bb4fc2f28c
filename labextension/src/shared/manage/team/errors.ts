/** Which field a refusal speaks of: the server names keys, down to an entry of a list (AGT-18). Pure. */
import type { Failure } from '../../stores/types';
import { type EditorSection, fieldOf } from './fields';

/** A sentence by the path of its field: `max_steps`, `schedules[2].cron`. */
export type Errors = Readonly<Record<string, string>>;

/** The sentences of a refused save; none when it speaks of no field. */
export function errorsOf(failure: Failure): Errors {
  if (failure.status !== 422) {
    return {};
  }
  const all = failure.fields['fields'];
  if (typeof all === 'object' && all !== null) {
    return Object.fromEntries(Object.entries(all).map(([path, sentence]) => [path, String(sentence)]));
  }
  const field = failure.fields['field'];
  return typeof field === 'string' ? { [field]: failure.message } : {};
}

/** The key that a path begins with. */
export function topKey(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}

/** All sentences of a key that no control of its own shows: those of the key and of its parts, but not those in `shown`. */
export function errorsUnder(errors: Errors, key: string, shown: (path: string) => boolean = () => false): string[] {
  return Object.entries(errors)
    .filter(([path]) => topKey(path) === key && !shown(path))
    .map(([, sentence]) => sentence);
}

/** The sections with a refused field, in the order of the editor's fields. */
export function sectionsWith(errors: Errors): EditorSection[] {
  const found = Object.keys(errors).flatMap(path => fieldOf(topKey(path))?.section ?? []);
  return [...new Set(found)];
}

/** The errors without those of one key: it was changed, so they speak of another value. */
export function without(errors: Errors, key: string): Errors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => topKey(path) !== key));
}
