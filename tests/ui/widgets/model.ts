/** A widget's model without a kernel, and time that passes only when told. */
import type { WidgetModel } from '@crew/widgets/live/model';

type Call = (...values: never[]) => void;

/** A widget's model as the page sees it, with the messages it sends. */
export class Model implements WidgetModel {
  sent: unknown[] = [];
  private heard = new Map<string, Call[]>();
  constructor(private values: Record<string, unknown>) {}
  get = (name: string): unknown => this.values[name];
  set = (name: string, value: unknown): void => {
    this.values[name] = value;
    this.tell(`change:${name}`);
  };
  send = (content: unknown): void => void this.sent.push(content);
  on = (name: string, call: Call): void => void this.heard.set(name, [...(this.heard.get(name) ?? []), call]);
  off = (name: string, call: Call): void => void this.heard.set(name, (this.heard.get(name) ?? []).filter(one => one !== call));
  tell = (name: string, ...values: unknown[]): void => this.heard.get(name)?.forEach(call => call(...(values as never[])));
  listeners = (): number => [...this.heard.values()].flat().length;
}

/** Time that passes only when told. */
export class Timers {
  private waiting = new Map<number, () => void>();
  private next = 1;
  set = (run: () => void): number => {
    this.waiting.set(this.next, run);
    return this.next++;
  };
  clear = (id: number): void => void this.waiting.delete(id);
  pass = (): void => {
    const due = [...this.waiting.values()];
    this.waiting.clear();
    due.forEach(run => run());
  };
}
