/** Names of the commands between notebook and chat (UI-130). */
export const NotebookCommand = {
  sendCell: 'crewlab:send-cell',
  sendSelection: 'crewlab:send-selection',
  sendError: 'crewlab:send-error',
  insertCode: 'crewlab:insert-code',
  insertAnswer: 'crewlab:insert-answer',
  replaceCell: 'crewlab:replace-cell',
  runNotebook: 'crewlab:run-notebook'
} as const;
