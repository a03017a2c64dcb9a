/** So many registrations in a row may end in an outage before no further one is begun. */
export const maxOutages = 5

/**
 * Decides when to stop sending: counts the registrations that ended without a good answer, or refused with 402 or 403,
 * since the last that succeeded. Pure; gives the new count.
 */
export function countOutages(count: number, ended: 'registered' | 'outage' | 'other'): number {
  switch (ended) {
    case 'registered':
      return 0
    case 'outage':
      return count + 1
    case 'other':
      return count
  }
}
