/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  // Nothing else is looked at: not what the demo saves, nor what a build leaves.
  roots: ['__tests__', 'scripts', 'simulator', 'src'].map(name => `<rootDir>/${name}`),
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  setupFilesAfterEnv: ['<rootDir>/__tests__/support/set-up.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  // Long, because a machine may be busy.
  testTimeout: 180_000,
  maxWorkers: 2,
  // Modules of finished tests are never freed, and a worker that holds many of them takes long to exit.
  workerIdleMemoryLimit: '600MB',
  workerGracefulExitTimeout: 10_000,
}
