import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const TESTS = path('../tests/ui');

/** The tests live beside those of the Python side, their packages in this folder. */
const packagesOfThisFolder: Plugin = {
  name: 'packages-of-this-folder',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!importer?.startsWith(TESTS) || /^[./\0]/.test(source) || source.startsWith('node:') || source.startsWith('@crew/')) {
      return null;
    }
    return this.resolve(source, path('./package.json'), { ...options, skipSelf: true });
  }
};

export default defineConfig({
  esbuild: { jsx: 'automatic' },
  plugins: [packagesOfThisFolder],
  resolve: { alias: { '@crew': path('./src') } },
  server: { fs: { strict: false } },
  test: {
    dir: TESTS,
    environment: 'node',
    include: ['**/*.test.{ts,tsx}'],
    passWithNoTests: true,
    pool: 'threads',
    poolOptions: { threads: { maxThreads: 2 } }
  }
});
