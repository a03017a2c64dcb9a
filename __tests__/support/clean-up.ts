const pending: (() => void)[] = []

/** Registers an action for {@link cleanUp}. */
export function onCleanUp(action: () => void): void {
  pending.push(action)
}

/** Runs the registered actions, the newest first. Jest gives tests a `process` of its own that never emits `exit`. */
export function cleanUp(): void {
  for (const action of pending.splice(0).reverse()) action()
}

process.once('exit', cleanUp)
