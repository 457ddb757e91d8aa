import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs'
import type { CodeRegistry } from '#devnet/builder-codes/code-registry'
import { createBuilderCodeApi } from '#devnet/builder-codes/start-builder-code-api'
import { FaultyDisk } from '#devnet/faults/faulty-disk'
import { sleep } from '#protocol/clock/clock'
import { serveRequests } from './network/request.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { ApiAnswer, ApiRequest } from './world.ts'
import type { WorldContext } from './world-context.ts'
import { databasePath } from './world-ground.ts'

export interface ApiProcess {
  part: SimulatedPart
  walletOf(code: string): `0x${string}` | undefined
  /** Closes the database. */
  stop(): void
}

/** The builder-code API on a database that outlives it, and the faults of its disk. */
export function apiProcess(context: WorldContext): ApiProcess {
  const { ground } = context
  const { recorder, faults, rngOf, clock, logger, parts } = ground
  let lives = 0
  let registry: CodeRegistry | undefined
  const disk = new FaultyDisk()
  /** The next crash tears the last write. */
  let isToTear = false

  /** What a disk holds at this moment, as the next life finds it. */
  function crash(): void {
    const from = databasePath(ground, lives)
    const to = databasePath(ground, lives + 1)
    for (const suffix of ['', '-wal']) {
      if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
    }
    if (isToTear && existsSync(`${to}-wal`)) tearLastWrite(`${to}-wal`)
    isToTear = false
    disk.attach(undefined)
    registry?.close()
    registry = undefined
  }

  const part = new SimulatedPart({
    name: 'api',
    clock,
    recorder,
    faults,
    async start(process) {
      lives += 1
      registry = parts.openCodeRegistry(
        databasePath(ground, lives),
        rngOf(`codes/${lives}`),
        (opened) => {
          disk.attach(opened)
          // Nobody cuts the power of this machine: what was written is there for the next life.
          opened.exec('PRAGMA synchronous = OFF')
        },
      )
      process.onEnd(crash)
      const app = createBuilderCodeApi({ registry, logger })
      await app.ready()
      serveRequests(context.ports.api, process, async (text) => {
        if (disk.delay > 0) await sleep(process.clock, disk.delay)
        const { method, path, body, headers } = JSON.parse(text) as ApiRequest
        const answer = await app.inject({
          method: method as 'POST',
          url: path,
          ...(body !== undefined && { payload: body }),
          headers: { 'content-type': 'application/json', ...headers },
        })
        const wire: ApiAnswer = { status: answer.statusCode, body: answer.body }
        return JSON.stringify(wire)
      })
    },
  })
  faults.register('disk:api', (fault, parameters) => {
    if (fault !== 'torn_write') return disk.bringAbout(fault, parameters)
    isToTear = true
    part.kill()
    return undefined
  })
  return {
    part,
    walletOf: (code) => registry?.walletOf(code),
    stop: () => registry?.close(),
  }
}

/**
 * A write that nobody was told of, there by half: bytes behind the last commit of the log. What was
 * committed was synchronised before, and a disk does not lose that.
 */
function tearLastWrite(path: string): void {
  const { size } = statSync(path)
  truncateSync(path, size + 2_077)
}
