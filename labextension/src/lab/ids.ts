/** Names that JupyterLab knows us by. */
export const PACKAGE = '@crewlab/labextension';
export const PLUGIN_ID = `${PACKAGE}:plugin`;
export const PANEL_ID = 'crewlab-panel';
export const MAIN_ID = 'crewlab-chat-main';
export const MANAGER_ID = 'crewlab-manager';
export const NAMESPACE = 'crewlab';

/** Commands (UI-130). */
export const Command = {
  focusChat: 'crewlab:focus-chat',
  newConversation: 'crewlab:new-conversation',
  openConversation: 'crewlab:open-conversation',
  openChatMain: 'crewlab:open-chat-main',
  stop: 'crewlab:stop',
  approvals: 'crewlab:approvals',
  search: 'crewlab:search',
  exportConversation: 'crewlab:export-conversation',
  escape: 'crewlab:escape',
  openManager: 'crewlab:open-manager',
  openRun: 'crewlab:open-run',
  openScriptStore: 'crewlab:open-script-store'
} as const;
