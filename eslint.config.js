import { readdirSync, readFileSync } from 'node:fs'
import { basename, posix } from 'node:path'
import { importX } from 'eslint-plugin-import-x'
import tseslint from 'typescript-eslint'

/** The layers of src from top to bottom: a module imports only from its own layer and from those below it. */
const layers = [
  ['index.ts'],
  ['main.ts'],
  ['verify'],
  ['report'],
  ['register'],
  ['plan.ts'],
  ['keep'],
  ['release'],
  ['artifacts'],
  ['inputs'],
  ['service'],
  ['records'],
  ['runtime'],
  ['outcome.ts', 'failure.ts'],
  ['text'],
]

const inSrc = name => `./src/${name}`

const zones = [
  ...layers.slice(1).map((layer, above) => ({
    target: layer.map(inSrc),
    from: layers.slice(0, above + 1).flatMap(upper => upper.map(inSrc)),
    message: 'A module imports only from its own layer and those below it (eslint.config.js).',
  })),
  {
    target: './src',
    from: ['./simulator', './scripts', './__tests__'],
    message: 'src and simulator never import each other; src needs no script and no test.',
  },
  {
    target: './simulator',
    from: './src',
    message: 'src and simulator never import each other, so that a shared bug cannot go unnoticed.',
  },
  {
    target: './scripts',
    from: './src',
    except: layers.slice(layers.findIndex(([name]) => name === 'inputs')).flatMap(layer => layer),
    message: 'A script uses only the inputs, the service and the layers below them.',
  },
]

const imports = ':matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration)'

/** Rules of style for all TypeScript; see CONTRIBUTING.md. */
const style = [
  {
    selector: 'SpreadElement > :matches(ConditionalExpression, LogicalExpression)',
    message: 'Do not spread a condition; write a statement.',
  },
  {
    selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
    message: 'Do not spread a literal; write its parts.',
  },
  {
    selector: `${imports}[source.value=/node_modules\\//]`,
    message: 'Import a package by its name.',
  },
  {
    selector:
      ':matches(ExportNamedDeclaration, ExportDefaultDeclaration) TSTypeReference[typeName.name="ReturnType"]',
    message: 'Write out an exported type, with a name.',
  },
]

/** What only a few modules of src use; a user that ends with a slash is a folder. */
const restricted = [
  {
    selector: `${imports}[importKind!="type"][exportKind!="type"][source.value=/^(node:)?https?$/]`,
    message: 'Calls are made through @actions/http-client.',
    users: [],
  },
  ...Object.entries({
    '@actions/artifact': ['src/keep/library.ts'],
    '@actions/core': ['src/runtime/runner.ts'],
    '@actions/glob': ['src/artifacts/files.ts'],
    '@actions/http-client': ['src/service/transport.ts', 'src/service/proxy.ts'],
    '@actions/github': ['src/release/octokit.ts'],
  }).map(([name, users]) => ({
    selector: `:matches(ImportExpression, ${imports})[source.value=/^${name.replace('/', '.')}(\\/|$)/]`,
    message: `Only ${users.join(' and ')} may use ${name}.`,
    users,
  })),
  {
    selector: 'MemberExpression[object.name="process"][property.name="env"]',
    message: 'Only the runtime reads the environment.',
    users: ['src/runtime/host.ts', 'src/runtime/runner.ts'],
  },
  {
    selector:
      ':matches(CallExpression[callee.name=/^set(Timeout|Interval)$/], ImportSpecifier[imported.name=/^set(Timeout|Interval)$/])',
    message: 'Wait with the clock that is given; only a few modules have timers of their own.',
    users: ['src/runtime/', 'src/service/transport.ts'],
  },
]

const isUser = (file, users) =>
  users.some(user => file === user || (user.endsWith('/') && file.startsWith(user)))

const sources = readdirSync(`${import.meta.dirname}/src`, { recursive: true })
  .filter(name => name.endsWith('.ts'))
  .map(name => `src/${name.replaceAll('\\', '/')}`)
const names = sources.map(file => basename(file))

/** What each module of src imports, types included, which import-x/no-cycle leaves out. */
const imported = new Map(
  sources.map(file => {
    const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
    const names = Array.from(text.matchAll(/(?:from |import\()'(\.[^']+)'/g), ([, name]) => name)
    return [file, names.map(name => posix.join(posix.dirname(file), name))]
  }),
)

/** Whether a module leads to another one; `seen` are those that were followed. */
const leadsTo = (file, other, seen) => {
  seen.add(file)
  const next = imported.get(file) ?? []
  return next.some(name => name === other || (!seen.has(name) && leadsTo(name, other, seen)))
}

/** What is wrong with a module of src as a whole. */
const misplaced = file => {
  const problems = []
  const isListed = layers.flat().some(name => `${file}/`.startsWith(`src/${name}/`))
  if (!isListed) problems.push('This file has no layer in eslint.config.js.')
  const isNamedTwice = names.filter(name => name === basename(file)).length > 1
  if (isNamedTwice) problems.push('Another file in src has this name.')
  if (leadsTo(file, file, new Set())) problems.push('This file is in a circle of imports.')
  return problems.map(message => ({ selector: 'Program', message }))
}

const forbid = (files, forbidden) => ({
  files,
  rules: {
    'no-restricted-syntax': [
      'error',
      ...forbidden.map(({ selector, message }) => ({ selector, message })),
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
  forbid(['simulator/**/*.ts', 'scripts/**/*.ts', '__tests__/**/*.ts'], style),
  ...sources.map(file => {
    const others = restricted.filter(({ users }) => !isUser(file, users))
    return forbid([file], [...style, ...others, ...misplaced(file)])
  }),
  {
    files: ['__tests__/**/*.ts', 'scripts/**/*.ts'],
    rules: { 'max-lines': 'off', 'max-params': 'off' },
  },
)
