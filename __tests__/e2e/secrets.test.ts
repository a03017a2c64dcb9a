/** Secrets that the service echoes, or that the job has in unexpected places, appear only in `::add-mask::` lines. */
import { expect, it } from '@jest/globals'
import { rawFault, redirectFault, statusFault } from '../../simulator/index.ts'
import type { Fault, Simulator } from '../../simulator/index.ts'
import { formsOf } from '../support/finished-run.ts'
import { API_KEY, subscription, subscriptionSecrets } from '../support/samples.ts'
import { after } from '../support/script.ts'
import { makeRelease, notarize, secretsOf, startService, type CheckedRun } from './support.ts'

/** Checks that no useful part of a secret is shown. Every run is searched for whole secrets. */
function expectNoPart(run: CheckedRun, secrets: readonly string[]): void {
  const parts = secrets.flatMap(secret =>
    Array.from({ length: Math.max(0, secret.length - 11) }, (_, at) => secret.slice(at, at + 12)),
  )
  const shown = run.lines.filter(line => !line.startsWith('::add-mask::'))
  const text = [...shown, run.summary, ...Object.values(run.outputs)].join('\n')
  expect(parts.filter(part => text.includes(part))).toEqual([])
}

const answers: readonly ((text: string) => Fault)[] = [
  text => statusFault(404, { body: { error: text, [text]: text } }),
  text => statusFault(400, { body: text }),
  text => statusFault(409, { body: `<p>${text}` }),
  text => rawFault(JSON.stringify([text])),
  text => redirectFault(`https://evil.example/?${encodeURIComponent(text)}`),
  text => statusFault(429, { headers: { 'retry-after': encodeURIComponent(text.slice(0, 99)) } }),
]
// A truncated message must not end with the first part of a secret.
const paddings = [0, 40, 80, 150, 170, 180, 190, 195, 199, 380, 980]

it('a secret that the service echoes is never shown, not even in part where a text is truncated', async () => {
  const service: Simulator = await startService({
    faults: ({ endpoint, nthOfEndpoint }) => {
      if (endpoint !== 'completion') return undefined
      const padding = 'x '.repeat((paddings[nthOfEndpoint % paddings.length] ?? 0) / 2)
      const echoes = secretsOf(service).flatMap(secret => {
        return [...formsOf(secret), btoa(`{"key":"${secret}"}`)]
      })
      return answers[nthOfEndpoint % answers.length]?.(padding + echoes.join(' '))
    },
  })
  const names = Array.from({ length: 30 }, (_, at) => [`${at}`, `${at}`] as const)
  const workspace = makeRelease(Object.fromEntries(names))
  const env = { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true' }
  const run = await notarize({ service, workspace, env, inputs: { 'max-attempts': '1' } })
  expect(run.results['failed-count']).toBe(30)
  expectNoPart(run, secretsOf(service))
})

it('a secret in another input is not shown, and one in a file name only in the checksums', async () => {
  const service = await startService({ requested: [], activeSubscription: subscription })
  const inputs = {
    'request-registration': 'true',
    description: `for ${API_KEY}`,
    'verification-url': `https://x.example/{hash}?key=${API_KEY}`,
  }
  const workspace = makeRelease({ [`a-${subscription.customer}`]: 'a' })
  const run = await notarize({ service, workspace, inputs })
  expect(run.results.verdict).toBe('registered')
  expectNoPart(run, secretsOf(service))
})

it('every secret is masked before anything else is printed, and removed from the environment', async () => {
  const service = await startService()
  const needles = JSON.stringify([API_KEY, subscription.customer])
  const atExit = `process.on('exit', () => {
    const texts = [...Object.entries(process.env).flat(), ...process.argv, ...process.execArgv]
    const leaks = ${needles}.filter(text => texts.join().includes(text))
    console.log('AT EXIT ' + leaks.length + texts.includes('INPUT_API-KEY') + texts.includes('INPUT_PATH'))
  })`
  const run = await notarize({ service, nodeArguments: after(atExit) })
  const masks = [API_KEY, ...subscriptionSecrets].map(secret => `::add-mask::${secret}`)
  expect(run.lines.slice(0, masks.length).sort()).toEqual(masks.sort())
  expect(run.lines).toContain('AT EXIT 0falsetrue')
})
