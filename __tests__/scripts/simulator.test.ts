import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from '@jest/globals'

it('the simulator prints what a person needs, logs requests and ends cleanly on SIGINT', async () => {
  const args = ['scripts/simulator.ts', '--api-key', 'my-key', '--subscription', '{"id":null}']
  const child = spawn(process.execPath, args)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => String((await lines.next()).value)

  const url = (await nextLine()).replace(/^URL:\s+/, '')
  expect(await nextLine()).toMatch(/^API key:\s+my-key$/)
  const subscription = (await nextLine()).replace(/^Subscription:\s+/, '')
  expect(JSON.parse(subscription)).toMatchObject({ id: null, status: 'active' })

  const headers = { connection: 'close' }
  const answer = await fetch(`${url}/api/v2/auth/login`, { method: 'POST', headers })
  expect(answer.status).toBe(415)
  expect(await nextLine()).toMatch(/Z POST \/api\/v2\/auth\/login -> 415$/)

  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
})
