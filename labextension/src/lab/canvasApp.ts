/** The `CanvasApp` of a document, made from JupyterLab's parts. */
import { Notification } from '@jupyterlab/apputils';
import type { CanvasApp } from '../canvas/app';
import type { CanvasDocument } from '../shared/canvas/document';
import { Layers } from '../shared/layers';
import { translate } from '../shared/texts';
import { apiUrl } from '../shared/urls';
import type { CanvasParts } from './canvases';
import { askText, confirm, copy, pickFile } from './dialogs';
import { bytes, download } from './server';

const SAID_MS = 8000;

/** The app in the present language. A draft has no owner, and no view of it asks for one. */
export function canvasApp({ app, face, newEditor, renderMarkdown }: CanvasParts, owner: CanvasDocument | null): CanvasApp {
  const language = face.language.getSnapshot();
  const { canvases, agents } = face.crew;
  return {
    ...{ canvases, agents, language, newEditor, renderMarkdown },
    document: owner as CanvasDocument,
    layers: new Layers(),
    t: translate(language),
    apiUrl: where => apiUrl(face.settings.baseUrl, where),
    blob: (where, signal) => bytes(face.settings, where, signal),
    download: where =>
      download(face.settings, where).catch((error: unknown) => {
        Notification.error(face.text('canvas.not_downloaded', { message: error instanceof Error ? error.message : String(error) }));
      }),
    pickFile,
    confirm: question => confirm(face, question),
    askText: question => askText(face, question),
    copy,
    say: text => void Notification.info(text, { autoClose: SAID_MS }),
    execute: (command, args) => {
      if (app.commands.hasCommand(command)) {
        app.commands.execute(command, args).catch((error: unknown) => console.error(error));
      }
    },
    has: command => app.commands.hasCommand(command)
  };
}
