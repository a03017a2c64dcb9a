import { importX } from 'eslint-plugin-import-x'
import tseslint from 'typescript-eslint'

/** The house: a room imports only from rooms further down, or from itself. What stands in one row are neighbours. */
export const rooms = [
  ['index.ts'],
  ['action.ts'],
  ['main.ts'],
  ['verify'],
  ['report'],
  ['register'],
  ['plan.ts'],
  ['release'],
  ['artifacts'],
  ['inputs.ts', 'input-texts.ts', 'input-values.ts'],
  ['service'],
  ['records'],
  ['host.ts'],
  ['environment.ts', 'runner.ts', 'secrets.ts', 'halt.ts', 'clock.ts', 'memory.ts', 'progress.ts'],
  ['stop.ts', 'outcome.ts', 'failure.ts'],
  ['text'],
]

const inSrc = name => `./src/${name}`

const zones = [
  ...rooms.slice(1).map((row, above) => ({
    target: row.map(inSrc),
    from: rooms.slice(0, above + 1).flatMap(upper => upper.map(inSrc)),
    message: 'A room imports only from rooms further down (see the order in eslint.config.js).',
  })),
  {
    target: './src',
    from: ['./simulator', './scripts', './__tests__'],
    message: 'src and simulator never import each other; src needs no script and no test.',
  },
  {
    target: './simulator',
    from: './src',
    message: 'src and simulator never import each other: a shared mistake would prove itself.',
  },
  {
    target: './scripts',
    from: './src',
    except: rooms
      .slice(rooms.findIndex(row => row.includes('input-values.ts')))
      .flatMap(row => row.map(name => `./${name}`)),
    message:
      'A script uses how inputs are read, the client of the service and what that needs, nothing else of src.',
  },
]

/** What only a few files of src use. */
const fewUse = [
  ...[
    ['@actions/core', 'src/runner.ts'],
    ['@actions/http-client', 'src/service/transport.ts', 'src/service/proxy.ts'],
    ['@actions/github', 'src/release/api.ts'],
    ['undici'],
  ].map(([name, ...users]) => ({
    selector: `:matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration, ImportExpression)[source.value=/(^|\\/)${name.replace('/', '.')}(?![\\w-])/]`,
    message: `Only ${users.join(' and ') || 'nothing'} may use ${name}.`,
    users,
  })),
  {
    selector: 'MemberExpression[object.name="process"][property.name="env"]',
    message: 'Only the ground reads the environment.',
    users: ['src/host.ts', 'src/runner.ts'],
  },
  {
    selector:
      ':matches(CallExpression[callee.name=/^set(Timeout|Interval)$/], ImportSpecifier[imported.name=/^set(Timeout|Interval)$/])',
    message: 'Wait by the clock that is given; only these files have timers of their own.',
    users: [
      ...['src/clock.ts', 'src/halt.ts', 'src/host.ts', 'src/service/transport.ts'],
      ...['src/artifacts/hash.ts', 'src/release/api.ts'],
    ],
  },
]

/** Forbids all of {@link fewUse}, but to its users. */
const restrict = file => ({
  files: [file],
  rules: {
    'no-restricted-syntax': [
      'error',
      ...fewUse
        .filter(({ users }) => !users.includes(file))
        .map(({ selector, message }) => ({ selector, message })),
    ],
  },
})

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
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
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
  ...['src/**/*.ts', ...new Set(fewUse.flatMap(({ users }) => users))].map(restrict),
  {
    files: ['__tests__/**/*.ts', 'scripts/**/*.ts'],
    rules: { 'max-lines': 'off', 'max-params': 'off' },
  },
)
