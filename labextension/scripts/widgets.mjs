/**
 * Bundles every entry `src/widgets/*.ts(x)` into one ESM file for anywidget, with its CSS beside it:
 * `../crewlab/widgets/static/<name>.js` and, where the entry imports a sheet, `<name>.css`.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCE = fileURLToPath(new URL('../src/widgets/', import.meta.url));
const TARGET = fileURLToPath(new URL('../../crewlab/widgets/static/', import.meta.url));

const names = existsSync(SOURCE) ? (await readdir(SOURCE)).filter(name => /^[^.]+\.tsx?$/.test(name)) : [];
await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });
if (names.length > 0) {
  await build({
    entryPoints: names.map(name => SOURCE + name),
    outdir: TARGET,
    bundle: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'esm',
    jsx: 'automatic',
    legalComments: 'none',
    loader: { '.svg': 'text' },
    logLevel: 'info',
    minify: true,
    splitting: false,
    target: ['es2022']
  });
}
