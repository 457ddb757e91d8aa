import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { launchEnclave } from '../../devnet/enclaves/launch-enclave.ts'
import type { ResourceStack } from '../../devnet/process/owned-resource.ts'
import { enclaveClient } from '../../devnet/prover/enclave-client.ts'
import { buildImage } from '../../enclave-sim/image/build-image.ts'
import { systemClock as clock } from '../../enclave-sim/protocol/clock/system-clock.ts'
import { systemRng as rng } from '../../enclave-sim/protocol/random/rng.ts'
import { createSimRoot } from '../../enclave-sim/security-module/sim/certificate-chain.ts'
import { connect } from '../../enclave-sim/vsock/connect.ts'
import { parseEndpoint } from '../../enclave-sim/vsock/endpoint.ts'

export const BENCH_CID = 16

/** An enclave of these chains in a process of its own, and who asks it without a host between. */
export async function startBenchEnclave(
  resources: ResourceStack,
  chains: Parameters<typeof buildImage>[0]['chains'],
) {
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  resources.defer(() => rm(folder, { recursive: true }))
  const { dir: imageDir } = await buildImage({ outDir: join(folder, 'image'), chains })
  const enclave = resources.add(
    await launchEnclave({
      cid: BENCH_CID,
      imageDir,
      root: createSimRoot({ clock, rng }),
      clock,
      rng,
      logger: pino({ level: 'silent' }),
      insecureNoIsolation: true,
    }),
  )
  const client = enclaveClient({
    cid: BENCH_CID,
    clock,
    connect: () => connect(parseEndpoint(enclave.endpoint), { clock }),
  })
  return { endpoint: enclave.endpoint, pid: enclave.pid, client }
}
