import type { FastifyInstance } from 'fastify'
import type { CodeRegistry } from '#devnet/builder-codes/code-registry'
import {
  type BuilderCodeApiOptions,
  createBuilderCodeApi,
} from '#devnet/builder-codes/start-builder-code-api'
import type { FaultEngine } from '#devnet/faults/fault-engine'
import { FaultyRegistry, type FaultyRegistryOptions } from '#devnet/faults/faulty-registry'
import type { Part } from './part.ts'

export interface ApiGiven extends BuilderCodeApiOptions {
  /** It outlives the API, which goes on from what a crash has left of it. */
  registry: CodeRegistry & Partial<Pick<FaultyRegistry, 'recover'>>
}

/** The builder-code API; a body listens for it, or hands it what came otherwise. It asks nobody. */
export const apiPart: Part<never, ApiGiven, FastifyInstance> = {
  name: 'api',
  links: [],
  start(_, given) {
    given.registry.recover?.()
    return createBuilderCodeApi(given)
  },
}

/** The API's codes on a disk that takes faults. */
export function openFaultyCodes(
  engine: FaultEngine,
  options: FaultyRegistryOptions,
): FaultyRegistry {
  const registry = new FaultyRegistry(options)
  engine.register('disk:api', registry.effects)
  return registry
}
