import { describe, expect, it } from '@jest/globals'
import { countOutages, maxOutages } from '../../src/register/breaker.ts'

type Ended = Parameters<typeof countOutages>[1]

const countAll = (...ended: readonly Ended[]): number => ended.reduce(countOutages, 0)

describe('the breaker', () => {
  it('breaks at five', () => {
    expect(maxOutages).toBe(5)
  })

  it('counts outages', () => {
    expect(countAll('outage', 'outage', 'outage', 'outage', 'outage')).toBe(5)
  })

  it('begins anew with each registration that went well', () => {
    expect(countAll('outage', 'outage', 'outage', 'outage', 'registered', 'outage')).toBe(1)
    expect(countAll('registered', 'registered')).toBe(0)
  })

  it('is left as it is by any other failure: that neither counts nor absolves', () => {
    expect(countAll('outage', 'other', 'outage', 'other')).toBe(2)
    expect(countAll('other', 'other', 'other', 'other', 'other', 'other')).toBe(0)
  })
})
