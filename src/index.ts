// Entry point of both actions. Some runners take any version of Node from the PATH: this file uses only syntax that old
// versions can parse, and loads the rest after checking the version.
const isTooOld = Number(process.versions.node.split('.')[0]) < 24
// A process that ends early must not look like a success.
process.exitCode = 1

if (isTooOld) {
  process.stdout.write(
    `::error::This action needs Node 24, but the runner started it with Node ${process.versions.node}. Nothing was sent. Use a runner that has Node 24 (2.327.1 or newer on GitHub), or put Node 24 first on the PATH.\n`,
  )
} else {
  // A signal during loading cancels the run instead of ending it without a report.
  const canceling = new AbortController()
  const cancel = () => {
    canceling.abort()
  }
  process.on('SIGINT', cancel)
  process.on('SIGTERM', cancel)
  // The script of the verify action, which the build makes, only imports this one with that query.
  const name = import.meta.url.endsWith('?verify') ? 'verify' : 'notarize'
  import('./main.ts')
    .then(({ start }) => start(name, canceling.signal))
    .catch((error: unknown) => {
      const kind = error instanceof Error && ('code' in error ? error.code : error.name)
      process.stdout.write(
        `::error::internal-error: This action could not be loaded (${String(kind)}). Nothing was sent. Use a release of the action that has all its files.\n`,
      )
    })
}
