export type { Mutant, MutantContext, MutantHooks } from './zoo/mutant.ts'
export { type MutantProxy, type MutantProxyOptions, startMutantProxy } from './zoo/mutant-proxy.ts'
export { startPlainEndpoint } from './zoo/plain-endpoint.ts'
export { ZOO } from './zoo/zoo.ts'
