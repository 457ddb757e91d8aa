import { join } from 'node:path'
import type { Clock } from '#protocol/clock/clock'
import { openFaultyCodes } from '../parts/api-part.ts'
import { KeptFile } from './kept-file.ts'
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
    name: parts.api.name,
    clock: context.ground.clock,
    recorder,
    faults,
    workDir,
    async start(process) {
      process.onEnd(() => registry.close())
      const app = parts.api.start(context.contextOf(parts.api, process), { registry, logger })
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
  const file = new KeptFile(join(workDir, 'builder-codes.sqlite'), 'builderCodes')
  const registry = openFaultyCodes(faults, {
    ...{ path: file.path, beside: [file.progressPath], open: () => file.open() },
    ...{ rng: rngOf('codes'), diskRng: rngOf('disk:api'), clock, mayBeDamaged: true },
    kill: () => part.kill(),
    openRegistry: (path, rng, onOpen) =>
      parts.openCodeRegistry(path, rng, (opened) => {
        onOpen?.(opened)
        // The power of this machine stays: what was written is there for the next life.
        opened.exec('PRAGMA synchronous = OFF')
      }),
  })
  return {
    part,
    walletOf: (code) => registry.walletOf(code),
    stop() {
      registry.close()
      file.close()
    },
  }
}
