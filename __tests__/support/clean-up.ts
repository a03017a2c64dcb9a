const pending = new Set<() => void>()

/** Registers an action for {@link cleanUp}. Returns a function that unregisters it. */
export function onCleanUp(action: () => void): () => void {
  pending.add(action)
  return () => {
    pending.delete(action)
  }
}

/**
 * Runs the registered actions, the newest first. Test files call it in `afterAll`, because jest gives them a `process` of
 * its own that never emits `exit`.
 */
export function cleanUp(): void {
  for (const action of [...pending].reverse()) {
    pending.delete(action)
    action()
  }
}

process.once('exit', cleanUp)
