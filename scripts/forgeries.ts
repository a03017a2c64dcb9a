/** Runs the steps of `examples/deploy.yml` on forged records, with the real `gh` and a test certificate authority. */
import {
  installGh,
  PLANTED,
  RECORDS,
  runDeploy,
  tryForgery,
} from '../__tests__/forgeries/deploy.ts'
import { allGenuineRecords, forge } from '../__tests__/forgeries/kinds.ts'
import { runCommand } from './command.ts'

await runCommand(async () => {
  installGh()
  for (const file of [RECORDS, PLANTED]) {
    const { verdict } = await runDeploy(allGenuineRecords, file)
    console.log(`genuine records in ${file}: ${verdict}`)
    if (verdict !== 'matched') return false
  }
  let [kinds, wrong] = [0, 0]
  for (const forgery of forge()) {
    kinds += 1
    if (!(await tryForgery(forgery))) wrong += 1
  }
  console.log(`${kinds} kinds of forgery, ${wrong} of them not rejected as expected`)
  return wrong === 0
})
