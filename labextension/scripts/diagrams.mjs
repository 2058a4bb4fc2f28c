/** Puts the library that draws diagrams beside the page that uses it: it goes into the page itself, so nothing is fetched (CNV-120). */
import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const entry = createRequire(import.meta.url).resolve('mermaid');
const target = fileURLToPath(new URL('../../crewlab/engine/canvas/static/mermaid.min.js', import.meta.url));
await copyFile(join(dirname(entry), 'mermaid.min.js'), target);
