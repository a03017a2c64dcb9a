export { startSimulator } from './server.ts'
export type { Simulator, SimulatorOptions } from './options.ts'
export type { SeenRequest } from './traffic.ts'
export type { Endpoint } from './routes.ts'
export { DEFAULT_API_KEY, exampleFreeSubscription, exampleSubscription } from './resources.ts'
export {
  rawFault,
  redirectFault,
  resetFault,
  silenceFault,
  statusFault,
  trickleFault,
} from './faults.ts'
export type { Fault, FaultRule, Faults } from './faults.ts'
