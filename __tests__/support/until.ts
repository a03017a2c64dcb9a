/** Waits until the condition holds, or until the time limit of the test. */
export async function until(holds: () => boolean): Promise<void> {
  // Unreferenced: after a failed test, it must not keep the process of the test alive.
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 2).unref())
}
