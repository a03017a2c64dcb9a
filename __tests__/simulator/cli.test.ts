import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it } from '@jest/globals'

const CLI = 'simulator/cli.ts'

describe('the simulator on the command line', () => {
  it('prints what one needs, logs requests and ends cleanly on SIGINT', async () => {
    const child = spawn(process.execPath, [CLI, '--api-key', 'my-key', '--fault-rate', '1'])
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const nextLine = async (): Promise<string> => String((await lines.next()).value)

    const url = (await nextLine()).replace(/^URL:\s+/, '')
    expect(await nextLine()).toMatch(/^API key:\s+my-key$/)
    const subscription = (await nextLine()).replace(/^Subscription:\s+/, '')
    expect(JSON.parse(subscription)).toMatchObject({ status: 'active' })

    const answer = await fetch(`${url}/api/v2/auth/login`, { method: 'POST' })
    expect(answer.status).toBe(415)
    expect(await nextLine()).toMatch(/Z POST \/api\/v2\/auth\/login -> 415$/)

    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('prints its help', () => {
    const { status, stdout } = spawnSync(process.execPath, [CLI, '--help'], { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stdout).toContain('--latency-ms')
  })

  it.each([
    ['--port', '70000'],
    ['--latency-ms', 'soon'],
    ['--fault-rate', '2'],
    ['--requested', '/does/not/exist'],
    ['--colour', 'red'],
  ])('refuses %s %s', (name, value) => {
    const { status, stderr } = spawnSync(process.execPath, [CLI, name, value], { encoding: 'utf8' })
    expect(status).toBe(2)
    expect(stderr).toContain('--help')
  })
})
