import type { JupyterFrontEndPlugin } from '@jupyterlab/application';

/** The chat panel of the crew. */
export const plugin: JupyterFrontEndPlugin<void> = {
  id: '@crewlab/labextension:plugin',
  description: 'The chat with a crew of agents.',
  autoStart: true,
  activate: () => undefined
};
