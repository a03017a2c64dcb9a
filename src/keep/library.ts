/** Entry of the bundle `dist/keep`, which holds `@actions/artifact` and is loaded only when it is used. */
export { findRecords } from './find-records.ts'
export { keepRecords } from './keep-records.ts'
