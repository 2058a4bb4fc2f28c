/** Everything the Crew manager may touch: the chat's parts that it shares, and its own stores. */
import { createContext, useContext } from 'react';
import type { ChatApp } from '../chat/app';
import type { Manager } from '../shared/manage/manager';

export interface ManagerApp {
  /** What the shared views read: language, agents, activity, device, commands. */
  readonly chat: ChatApp;
  readonly manager: Manager;
  /** Saves a run as a file; a failure is said by JupyterLab (TURN-107). */
  exportRun(id: string, format: 'json' | 'md'): void;
}

const ManagerContext = createContext<ManagerApp | null>(null);

/** Gives the `ManagerApp` to everything below. */
export const ManagerProvider = ManagerContext.Provider;

/** The stores of the manager around. */
export function useManager(): ManagerApp {
  const app = useContext(ManagerContext);
  if (!app) {
    throw new Error('A view of the manager stands outside of ManagerView.');
  }
  return app;
}
