/** What a person does to a canvas as a whole, with the questions that go before it. */
import { useCanvas, useDocument } from './context';
import { documentTitle } from './words';

const KB = 1024;

interface Actions {
  rename(): Promise<void>;
  language(): Promise<void>;
  copy(text: string): Promise<void>;
  upload(limit: number): Promise<void>;
  reimport(): Promise<void>;
  restore(version: number): Promise<void>;
  discard(): Promise<void>;
  remove(): Promise<void>;
}

export function useActions(): Actions {
  const app = useCanvas();
  const { document: owner, t } = app;
  const state = useDocument();
  const title = documentTitle(state, t);
  return {
    rename: async () => {
      const next = await app.askText({ title: t('canvas.title'), value: title, accept: t('canvas.rename') });
      if (next !== null && next.trim() !== title) {
        await owner.rename(next);
      }
    },
    language: async () => {
      const value = state.record?.language ?? '';
      const next = await app.askText({ title: t('canvas.language_ask'), value, accept: t('canvas.save') });
      if (next !== null && next.trim() !== value) {
        await owner.setLanguage(next);
      }
    },
    copy: text => app.copy(text),
    upload: async limit => {
      const file = await app.pickFile();
      const found = file ? await textOf(file, limit) : null;
      if (!file || !found) {
        return;
      }
      if ('text' in found) {
        await owner.replace(found.text);
      } else {
        app.say(t(found.why, { name: file.name, limit: `${limit / KB} KB` }));
      }
    },
    reimport: async () => {
      if ((await owner.reimport()) === 'unchanged') {
        app.say(t('canvas.reimport_same', { path: state.record?.source_path ?? '' }));
      }
    },
    restore: async version => {
      const label = t('canvas.restore', { n: version });
      if (await app.confirm({ title: label, body: t('canvas.restore_ask', { n: version }), accept: label })) {
        await owner.restore(version);
      }
    },
    discard: async () => {
      if (await app.confirm({ title: t('canvas.discard'), body: t('canvas.discard_ask'), accept: t('canvas.discard'), danger: true })) {
        owner.discard();
      }
    },
    remove: async () => {
      const body = t('canvas.delete_ask', { title, n: state.versions.length });
      if (await app.confirm({ title: t('canvas.delete'), body, accept: t('canvas.delete'), danger: true })) {
        await owner.remove();
      }
    }
  };
}

/** The text of a file, without a mark at its beginning (CNV-63), or why it cannot be taken. */
async function textOf(file: File, limit: number): Promise<{ text: string } | { why: 'canvas.upload_large' | 'canvas.upload_bad' }> {
  if (file.size > limit) {
    return { why: 'canvas.upload_large' };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? { why: 'canvas.upload_bad' } : { text };
  } catch {
    return { why: 'canvas.upload_bad' };
  }
}
