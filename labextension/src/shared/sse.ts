/** Server-sent events out of a byte stream (WIRE-4, WIRE-9). */

/** One event; a comment line (`: ping`) is an event without a name and without data. */
export interface ServerEvent {
  name: string;
  data: string;
}

/** Cuts text that comes in pieces of any size into events. */
export class EventCutter {
  private rest = '';

  /** The events that `piece` completes. */
  push(piece: string): ServerEvent[] {
    const blocks = (this.rest + piece).replaceAll('\r', '').split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.map(readBlock);
  }
}

function readBlock(block: string): ServerEvent {
  const data: string[] = [];
  let name = '';
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') {
      name = value;
    } else if (field === 'data') {
      data.push(value);
    }
  }
  return { name, data: data.join('\n') };
}
