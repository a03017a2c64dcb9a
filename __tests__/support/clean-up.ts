const pending = new Set<() => void>()

/** Keeps an action for {@link cleanUp}; the function that is returned forgets it again. */
export function onCleanUp(action: () => void): () => void {
  pending.add(action)
  return () => {
    pending.delete(action)
  }
}

/**
 * Ends every process and removes every folder that this module registry made, the newest first.
 * Test files call it in `afterAll`: jest gives them a `process` of its own, whose exit they never see.
 */
export function cleanUp(): void {
  for (const action of [...pending].reverse()) {
    pending.delete(action)
    action()
  }
}

process.once('exit', cleanUp)
