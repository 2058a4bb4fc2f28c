/** What the routes of the script store answer (STO-29 to STO-35). */

export interface ScriptKey {
  key: string;
  /** Length of its JSON text. */
  chars: number;
  /** The first 200 characters of it. */
  preview: string;
  updated_at: string;
}

export interface ScriptNamespace {
  namespace: string;
  kind: 'job' | 'conv' | 'other';
  ref: string;
  title: string | null;
  /** What it was kept for is gone. */
  orphan: boolean;
  chars: number;
  keys: ScriptKey[];
}

export interface ScriptValue {
  namespace: string;
  key: string;
  /** Exactly the JSON text that is kept. */
  text: string;
  chars: number;
  updated_at: string;
}

/** What the view may ask for. Both reject with `ApiError`, and both have the list read again when it is old. */
export interface StoreActions {
  value(namespace: string, key: string): Promise<ScriptValue>;
  /** `key` null: everything the namespace holds. */
  forget(namespace: string, key: string | null): Promise<{ deleted: number }>;
}
