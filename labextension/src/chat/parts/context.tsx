import { createContext, useContext } from 'react';
import type { Decider } from '../../shared/manage/approvals';
import type { ChatApp } from '../app';

const AppContext = createContext<ChatApp | null>(null);

/** Gives the `ChatApp` to everything below. */
export const AppProvider = AppContext.Provider;

const DeciderContext = createContext<Decider | null>(null);

/** Has the cards below decide their own request instead of the open conversation's. */
export const DeciderProvider = DeciderContext.Provider;

/** What decides the request of the card around: the open conversation, or the card itself in the manager. */
export function useDecider(): Decider {
  const own = useContext(DeciderContext);
  const { conversation } = useApp();
  return own ?? conversation;
}

/** The `ChatApp` of this panel. */
export function useApp(): ChatApp {
  const app = useContext(AppContext);
  if (!app) {
    throw new Error('A view of the chat stands outside of ChatPanel.');
  }
  return app;
}
