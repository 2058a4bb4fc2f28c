import { createContext, useContext } from 'react';
import type { CanvasState } from '../shared/canvas/types';
import { useStore } from '../chat/parts/hooks';
import type { CanvasApp } from './app';

const CanvasContext = createContext<CanvasApp | null>(null);

/** Gives the `CanvasApp` to everything below. */
export const CanvasProvider = CanvasContext.Provider;

/** The `CanvasApp` of this document. */
export function useCanvas(): CanvasApp {
  const app = useContext(CanvasContext);
  if (!app) {
    throw new Error('A view of a canvas stands outside of CanvasView.');
  }
  return app;
}

/** The state of this document. */
export function useDocument(): CanvasState {
  return useStore(useCanvas().document);
}
