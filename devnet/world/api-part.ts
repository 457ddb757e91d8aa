import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { sleep } from '../../enclave-sim/protocol/clock/clock.ts'
import type { CodeRegistry } from '../builder-codes/code-registry.ts'
import { createBuilderCodeApi } from '../builder-codes/start-builder-code-api.ts'
import { serveRequests } from './network/request.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { ApiAnswer, ApiRequest } from './world.ts'
import type { WorldContext } from './world-context.ts'
import { databasePath } from './world-ground.ts'

export interface ApiPart {
  part: SimulatedPart
  walletOf(code: string): `0x${string}` | undefined
  /** Closes the database. */
  stop(): void
}

/** The builder-code API on a database that outlives it, and the faults of its disk. */
export function apiPart(context: WorldContext): ApiPart {
  const { ground } = context
  const { recorder, faults, rngOf, clock, logger, parts } = ground
  let lives = 0
  let registry: CodeRegistry | undefined
  let database: DatabaseSync | undefined
  /** Asked for by faults that are under way. */
  const disk = { full: 0, read_only: 0, slow: 0, tear: false }

  const obey = () => {
    if (!database?.isOpen) return
    const { page_count: pages } = database.prepare('PRAGMA page_count').get() as {
      page_count: number
    }
    database.exec(`PRAGMA max_page_count = ${disk.full > 0 ? pages : 1_073_741_823}`)
    database.exec(`PRAGMA query_only = ${disk.read_only > 0 ? 'ON' : 'OFF'}`)
  }

  /** What a disk holds at this moment, as the next life finds it. */
  function crash(): void {
    const from = databasePath(ground, lives)
    const to = databasePath(ground, lives + 1)
    for (const suffix of ['', '-wal']) {
      if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
    }
    if (disk.tear && existsSync(`${to}-wal`)) tearLastWrite(`${to}-wal`)
    disk.tear = false
    registry?.close()
    registry = undefined
    database = undefined
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
          database = opened
        },
      )
      process.onEnd(crash)
      obey()
      const app = createBuilderCodeApi({ registry, logger })
      await app.ready()
      serveRequests(context.ports.api, process, async (text) => {
        if (disk.slow > 0) await sleep(process.clock, disk.slow)
        const { method, path, body, headers } = JSON.parse(text) as ApiRequest
        const answer = await app.inject({
          method: method as 'POST',
          url: path,
          ...(body !== undefined && { payload: body }),
          headers: { 'content-type': 'application/json', ...headers },
        })
        const told: ApiAnswer = { status: answer.statusCode, body: answer.body }
        return JSON.stringify(told)
      })
    },
  })
  faults.register('disk:api', (fault, told) => {
    if (fault === 'torn_write') {
      disk.tear = true
      part.kill()
      return undefined
    }
    const by = fault === 'slow' ? (told.delay as number) : 1
    const member = fault as 'full' | 'read_only' | 'slow'
    disk[member] += by
    obey()
    return () => {
      disk[member] -= by
      obey()
    }
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
