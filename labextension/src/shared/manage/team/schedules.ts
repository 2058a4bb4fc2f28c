/** A line of `schedules` as a form: exactly one moment and one thing to do (JOB-3). Pure. */

export const WHENS = ['cron', 'every'] as const;
export const WHATS = ['prompt', 'command', 'script'] as const;
export type When = (typeof WHENS)[number];
export type What = (typeof WHATS)[number];

export interface ScheduleForm {
  /** Tells the entries apart while they are moved; not part of the file. */
  readonly mark: number;
  id: string;
  name: string;
  when: When;
  cron: string;
  every: string;
  what: What;
  text: string;
  then_prompt: string;
  /** Names, with commas between them. */
  skills: string;
  approval_ttl_seconds: string;
  timeout_s: string;
  enabled: boolean;
}

/** The form of an entry of the file. */
export function scheduleForm(entry: unknown, mark: number): ScheduleForm {
  const found: Record<string, unknown> = typeof entry === 'object' && entry !== null ? { ...entry } : {};
  const text = (key: string): string => (found[key] === null || found[key] === undefined ? '' : String(found[key]));
  const what = WHATS.find(one => text(one) !== '') ?? 'prompt';
  return {
    ...{ mark, id: text('id'), name: text('name'), when: text('every') === '' ? 'cron' : 'every', cron: text('cron'), every: text('every') },
    ...{ what, text: text(what), then_prompt: text('then_prompt'), timeout_s: text('timeout_s'), enabled: found['enabled'] !== false },
    skills: Array.isArray(found['skills']) ? found['skills'].join(', ') : '',
    approval_ttl_seconds: text('approval_ttl_seconds')
  };
}

/** A new entry. */
export function newSchedule(mark: number): ScheduleForm {
  return { ...scheduleForm({}, mark), cron: '0 8 * * *' };
}

/** The entry as the file will say it; what belongs to another choice is left out. */
export function scheduleWire(form: ScheduleForm): Record<string, unknown> {
  const skills = form.skills.split(',').map(name => name.trim());
  const named = skills.filter(name => name !== '');
  return {
    ...given('id', form.id),
    ...given('name', form.name),
    [form.when]: form[form.when].trim(),
    [form.what]: form.text,
    ...(form.what === 'script' ? given('then_prompt', form.then_prompt) : {}),
    ...(named.length > 0 ? { skills: named } : {}),
    ...number('approval_ttl_seconds', form.approval_ttl_seconds),
    ...(form.what === 'command' ? number('timeout_s', form.timeout_s) : {}),
    ...(form.enabled ? {} : { enabled: false })
  };
}

function given(key: string, text: string): Record<string, string> {
  return text.trim() === '' ? {} : { [key]: text.trim() };
}

function number(key: string, text: string): Record<string, number | string> {
  const typed = text.trim();
  return typed === '' ? {} : { [key]: /^\d+$/.test(typed) ? Number(typed) : typed };
}
