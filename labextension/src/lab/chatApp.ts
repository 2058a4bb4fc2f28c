/** The `ChatApp` of a widget: what the views may read and call, made from JupyterLab's parts. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ChatApp, ChatSettings, PanelRequest } from '../chat/app';
import { Layers } from '../shared/layers';
import type { Readable } from '../shared/stores/store';
import { translate } from '../shared/texts';
import { apiUrl } from '../shared/urls';
import { askText, confirm, copy } from './dialogs';
import type { Face } from './face';
import { Command } from './ids';

export interface Parts {
  readonly app: JupyterFrontEnd;
  readonly face: Face;
  readonly settings: Readable<ChatSettings>;
  renderMarkdown(text: string, host: HTMLElement): Promise<void>;
}

/** What the views need of the widget they stand in. */
export interface Frame {
  readonly width: Readable<number>;
  onRequest?(listener: (request: PanelRequest) => void): () => void;
}

/** Layers of each widget: they stay when the language changes. */
const layersOf = new WeakMap<Frame, Layers>();

/** The layers that lie open over a widget. */
export function layers(widget: Frame): Layers {
  const known = layersOf.get(widget) ?? new Layers();
  layersOf.set(widget, known);
  return known;
}

/** The app for the present language. */
export function chatApp(parts: Parts, widget: Frame, place: 'panel' | 'main'): ChatApp {
  const { app, face, settings, renderMarkdown } = parts;
  const { conversation, list, activity, agents, blocked, canvases, attached } = face.crew;
  const language = face.language.getSnapshot();
  const execute: ChatApp['execute'] = (command, args) => {
    if (app.commands.hasCommand(command)) {
      app.commands.execute(command, args).catch((error: unknown) => console.error(error));
    }
  };
  return {
    ...{ place, conversation, list, activity, agents, blocked, canvases, attached, settings, language, execute, renderMarkdown },
    connection: face.connection,
    build: face.build,
    files: face.files,
    width: widget.width,
    device: face.device,
    layers: layers(widget),
    t: translate(language),
    has: command => app.commands.hasCommand(command),
    openUrl: url => openUrl(url, execute),
    confirm: question => confirm(face, question),
    askText: question => askText(face, question),
    copy: text => copy(text),
    apiUrl: where => apiUrl(app.serviceManager.serverSettings.baseUrl, where),
    onRequest: listener => widget.onRequest?.(listener) ?? (() => undefined)
  };
}

/** `#/manage/<section>[/<rest>]` is a place of crewlab (UI-70); everything else opens in a tab of its own. */
function openUrl(url: string, execute: ChatApp['execute']): void {
  const place = /^#\/manage\/([^/]+)(?:\/(.+))?$/.exec(url);
  if (place) {
    execute(Command.openManager, { section: place[1] ?? '', rest: place[2] ?? null });
  } else if (/^(https?:|mailto:)/i.test(url)) {
    window.open(url, '_blank', 'noopener,noreferrer');
  }
}
