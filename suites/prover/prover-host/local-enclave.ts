import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootLocal } from '#enclave/server/boot-identity'
import { createEnclave } from '#enclave/server/create-enclave'
import { serveConnection } from '#enclave/server/serve-connection'
import { listenHybrid } from '#enclave/vsock/hybrid-listener'
import type { Clock } from '#protocol/clock/clock'
import { verifiedOracle } from '#protocol/oracle/verified-oracle'
import { type Chains, runProgram } from '#protocol/proof/run-program'
import { seededRng } from '#protocol/random/rng'

export interface LocalEnclave {
  /** `unix:PATH:8000` */
  readonly endpoint: string
  /** Events of its log. */
  readonly logged: string[]
  stop(): Promise<void>
}

/** The real enclave server and program on a real socket, in this process and without a module. */
export async function localEnclave(options: {
  clock: Clock
  chains: Chains
}): Promise<LocalEnclave> {
  const { clock, chains } = options
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  const path = join(folder, 'vsock')
  const logged: string[] = []
  const log = (event: string) => void logged.push(event)
  const enclave = createEnclave({
    identity: bootLocal(seededRng('local enclave')),
    program: async (preimages) => runProgram(verifiedOracle(preimages), { chains }),
    log,
  })
  const listener = await listenHybrid({
    path,
    port: 8000,
    clock,
    onConnection: (stream) => void serveConnection(stream, { enclave, clock, log }),
  })
  return {
    endpoint: `unix:${path}:8000`,
    logged,
    async stop() {
      await listener.close()
      await rm(folder, { recursive: true })
    },
  }
}
