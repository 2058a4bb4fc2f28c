import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const MAX_LINES = 200; // house rule 1: lines of code of one file
const MAX_COMPLEXITY = 12; // house rule 1

export default tseslint.config(
  { ignores: ['lib/**', 'node_modules/**', 'src/shared/contract.ts', 'scripts/**', 'style/**', '*.mjs', '*.ts'] },
  ...tseslint.configs.strict,
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: {
      ...hooks.configs.recommended.rules,
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      complexity: ['error', MAX_COMPLEXITY],
      eqeqeq: 'error',
      'max-lines': ['error', { max: MAX_LINES, skipBlankLines: true, skipComments: true }],
      'no-console': ['error', { allow: ['warn', 'error'] }]
    }
  }
);
