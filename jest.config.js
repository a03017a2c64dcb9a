/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  setupFilesAfterEnv: ['<rootDir>/__tests__/support/set-up.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  // Long, because a machine may be busy.
  testTimeout: 180_000,
  maxWorkers: 2,
  // Modules of finished tests are never freed, and a worker with gigabytes of them exits too late for jest.
  workerIdleMemoryLimit: '600MB',
}
