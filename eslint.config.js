import { importX } from 'eslint-plugin-import-x'
import tseslint from 'typescript-eslint'

/** Imports that would break the house: arrows point down only, and src and simulator stay strangers. */
const forbid = (...groups) => ({
  'no-restricted-imports': [
    'error',
    { patterns: groups.map(([group, message]) => ({ regex: group, message })) },
  ],
})

const toolkitCore = ['^@actions/core$', 'src/runner.ts is the only user of @actions/core']
const httpClient = ['^@actions/http-client', 'src/service/core/transport.ts is the only user']
const simulator = ['/simulator/', 'src and simulator never import each other']
const source = ['/src/', 'src and simulator never import each other']
const upward = ['^(\\.\\./)+(main|index|runner)\\.ts$', 'arrows point down only']

export default tseslint.config(
  { ignores: ['dist/', 'lib/', 'node_modules/', 'coverage/', '.demo/', '.bench/'] },
  {
    files: ['**/*.ts'],
    extends: [
      ...tseslint.configs.strictTypeChecked,
      ...tseslint.configs.stylisticTypeChecked,
      importX.flatConfigs.typescript,
    ],
    plugins: { 'import-x': importX },
    settings: importX.flatConfigs.typescript.settings,
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'import-x/no-cycle': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'max-params': ['error', 3],
      'max-lines': ['error', { max: 260, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: forbid(toolkitCore, httpClient, simulator, upward),
  },
  { files: ['src/runner.ts'], rules: forbid(httpClient, simulator, upward) },
  { files: ['src/service/core/transport.ts'], rules: forbid(toolkitCore, simulator, upward) },
  { files: ['simulator/**/*.ts'], rules: forbid(source) },
  {
    files: ['__tests__/**/*.ts', 'scripts/**/*.ts'],
    rules: { 'max-lines': 'off', 'max-params': 'off' },
  },
)
