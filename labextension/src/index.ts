/** The plugins of the extension: `plugin.ts` holds the chat panel. */
import { plugin } from './plugin';

export default [plugin];
