/** Waits until the condition holds, or until the time limit of the test. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 2))
}
