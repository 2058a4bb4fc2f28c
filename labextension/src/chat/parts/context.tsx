import { createContext, useContext } from 'react';
import type { ChatApp } from '../app';

const AppContext = createContext<ChatApp | null>(null);

/** Gives the `ChatApp` to everything below. */
export const AppProvider = AppContext.Provider;

/** The `ChatApp` of this panel. */
export function useApp(): ChatApp {
  const app = useContext(AppContext);
  if (!app) {
    throw new Error('A view of the chat stands outside of ChatPanel.');
  }
  return app;
}
