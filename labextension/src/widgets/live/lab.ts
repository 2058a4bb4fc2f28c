/** What JupyterLab around the widget can do for it, when there is one. */

const EXTENSION = '@crewlab/labextension';
const COMMANDS = new Set(['crewlab:open-conversation', 'crewlab:open-run', 'crewlab:open-canvas', 'crewlab:open-manager']);

/** Whether the page is a JupyterLab with our extension in it. */
export function inLab(page: Document = document): boolean {
  try {
    const config = JSON.parse(page.getElementById('jupyter-config-data')?.textContent ?? '{}') as { appName?: string; federated_extensions?: { name: string }[] };
    return config.appName === 'JupyterLab' && (config.federated_extensions ?? []).some(one => one.name === EXTENSION);
  } catch {
    return false; // a page of another make
  }
}

/** Whether a command can be run from here. */
export function hasCommand(command: string): boolean {
  return COMMANDS.has(command) && inLab();
}

/** Runs a command: JupyterLab does so for whatever is clicked and carries these marks. */
export function runCommand(command: string, args: object = {}): void {
  if (!hasCommand(command)) {
    return;
  }
  const link = document.createElement('button');
  link.hidden = true;
  link.dataset['commandlinkerCommand'] = command;
  link.dataset['commandlinkerArgs'] = JSON.stringify(args);
  document.body.append(link);
  link.click();
  link.remove();
}
