import type { ChatApp } from './app';

/** Stands in until the views land. */
export function ChatPanel({ app }: { app: ChatApp }): JSX.Element {
  return <div className="crew-panel">{app.t('panel.title')}</div>;
}
