import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../enclave-sim/protocol/clock/clock.ts'
import { verifiedOracle } from '../../enclave-sim/protocol/oracle/verified-oracle.ts'
import { type Chains, runProgram } from '../../enclave-sim/protocol/proof/run-program.ts'
import { seededRng } from '../../enclave-sim/protocol/random/rng.ts'
import { bootLocal } from '../../enclave-sim/server/boot-identity.ts'
import { createEnclave } from '../../enclave-sim/server/create-enclave.ts'
import { serveConnection } from '../../enclave-sim/server/serve-connection.ts'
import { listenHybrid } from '../../enclave-sim/vsock/hybrid-listener.ts'

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
