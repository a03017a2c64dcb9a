/**
 * The simulator in a process of its own, for the benchmark: every hash may be completed, again and again. Its argument is
 * the latency in milliseconds; the first line that it prints is its URL; it ends with its standard input.
 */
import { startSimulator } from '../simulator/index.ts'

const [latencyMs = '0'] = process.argv.slice(2)
const simulator = await startSimulator({
  requested: 'any',
  repeat: 'accept',
  latencyMs: Number(latencyMs),
})
console.log(simulator.url)
process.stdin.resume()
process.stdin.once('end', () => void simulator.close())
