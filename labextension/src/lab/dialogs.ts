/** Questions in JupyterLab's dialogs, and the files of the person's device. */
import { Clipboard, Dialog, InputDialog, showDialog } from '@jupyterlab/apputils';
import type { Face } from './face';

interface Question {
  title: string;
  body: string;
  accept: string;
  danger?: boolean;
}

/** A yes-or-no question; a dangerous one does not begin on its button. */
export async function confirm(face: Face, { title, body, accept, danger }: Question): Promise<boolean> {
  const yes = danger ? Dialog.warnButton({ label: accept }) : Dialog.okButton({ label: accept });
  const cancel = Dialog.cancelButton({ label: face.text('cancel') });
  const result = await showDialog({ title, body, buttons: [cancel, yes], defaultButton: danger ? 0 : 1 });
  return result.button.accept;
}

/** One line of text; null when cancelled. */
export async function askText(face: Face, { title, value, accept }: { title: string; value: string; accept: string }): Promise<string | null> {
  const result = await InputDialog.getText({ title, text: value, okLabel: accept, cancelLabel: face.text('cancel') });
  return result.button.accept ? result.value : null;
}

/** Puts text on the clipboard. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    Clipboard.copyToSystem(text); // a page without https has no clipboard of its own
  }
}

/** A file that the person chooses; null when they choose none. */
export function pickFile(): Promise<File | null> {
  const input = document.createElement('input');
  input.type = 'file';
  return new Promise(resolve => {
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null));
    input.addEventListener('cancel', () => resolve(null));
    input.click();
  });
}
