import { join } from 'node:path'
import { createBuilderCodeApi } from '#devnet/builder-codes/start-builder-code-api'
import { FaultyRegistry } from '#devnet/faults/faulty-registry'
import type { Clock } from '#protocol/clock/clock'
import { serveRequests } from './network/request.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { ApiAnswer, ApiRequest } from './world.ts'
import type { WorldContext } from './world-context.ts'

export interface ApiProcess {
  part: SimulatedPart
  walletOf(code: string): `0x${string}` | undefined
  /** Closes the database. */
  stop(): void
}

/** The builder-code API on a database that outlives it, and the faults of its disk. */
export function apiProcess(context: WorldContext): ApiProcess {
  const { recorder, faults, rngOf, workDir, logger, parts } = context.ground
  const part = new SimulatedPart({
    name: 'api',
    clock: context.ground.clock,
    recorder,
    faults,
    async start(process) {
      registry.recover()
      process.onEnd(() => registry.close())
      const app = createBuilderCodeApi({ registry, logger })
      await app.ready()
      serveRequests(context.ports.api, process, async (text) => {
        const { method, path, body, headers } = JSON.parse(text) as ApiRequest
        const response = await app.inject({
          method: method as 'POST',
          url: path,
          ...(body !== undefined && { payload: body }),
          headers: { 'content-type': 'application/json', ...headers },
        })
        const answer: ApiAnswer = { status: response.statusCode, body: response.body }
        return JSON.stringify(answer)
      })
    },
  })
  // What a killed process was about to write is never written.
  const clock: Clock = {
    now: () => part.process.clock.now(),
    after: (...timer) => part.process.clock.after(...timer),
  }
  const registry = new FaultyRegistry({
    ...{ path: join(workDir, 'builder-codes.sqlite'), rng: rngOf('codes'), clock },
    kill: () => part.kill(),
    openRegistry: (path, rng, onOpen) =>
      parts.openCodeRegistry(path, rng, (opened) => {
        onOpen?.(opened)
        // Nobody cuts the power of this machine: what was written is there for the next life.
        opened.exec('PRAGMA synchronous = OFF')
      }),
  })
  faults.register('disk:api', registry.effects)
  return {
    part,
    walletOf: (code) => registry.walletOf(code),
    stop: () => registry.close(),
  }
}
