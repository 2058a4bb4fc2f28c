/** What of a cell's outputs is text (UI-136). Pure; outputs as nbformat writes them. */

export type Output = Readonly<Record<string, unknown>>;

const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** The text outputs and tracebacks of a cell in their order; "" when there are none. */
export function outputText(outputs: readonly Output[]): string {
  return outputs
    .map(textOf)
    .filter(text => text !== '')
    .join('\n');
}

/** The last traceback of a cell; null when it did not fail. */
export function lastError(outputs: readonly Output[]): string | null {
  const error = outputs.findLast(output => output['output_type'] === 'error');
  return error ? traceback(error) : null;
}

function textOf(output: Output): string {
  switch (output['output_type']) {
    case 'stream':
      return plain(output['text']);
    case 'error':
      return traceback(output);
    case 'execute_result':
    case 'display_data':
      return plain(dataOf(output)['text/plain']);
    default:
      return '';
  }
}

function traceback(output: Output): string {
  const lines = Array.isArray(output['traceback']) ? output['traceback'].map(line => String(line)) : [];
  return plain(lines.join('\n')) || `${plain(output['ename'])}: ${plain(output['evalue'])}`;
}

function dataOf(output: Output): Output {
  const data = output['data'];
  return typeof data === 'object' && data !== null ? (data as Output) : {};
}

/** Text without the colours of a terminal and the line breaks at its end; nbformat also writes it as a list of lines. */
function plain(value: unknown): string {
  const text = Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '';
  return text.replace(TERMINAL, '').replace(/\n+$/, '');
}
