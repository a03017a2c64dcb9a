/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'es6' },
      },
    ],
  },
  // Long, as a machine may be busy.
  testTimeout: 180_000,
  maxWorkers: 2,
  // A module in a context of its own is never freed, and a worker that has to free gigabytes ends too late for jest.
  workerIdleMemoryLimit: '600MB',
}
