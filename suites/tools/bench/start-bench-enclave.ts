import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { ResourceStack } from '#devnet/base/process/owned-resource'
import { launchEnclave } from '#devnet/proving/enclaves/launch-enclave'
import { enclaveClient } from '#devnet/proving/prover/enclave-client'
import { buildImage } from '#enclave/image/build-image'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { connect } from '#enclave/vsock/connect'
import { parseEndpoint } from '#enclave/vsock/endpoint'
import { systemClock as clock } from '#protocol/clock/system-clock'
import { systemRng as rng } from '#protocol/random/rng'

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
    hasSchedule: Array.from(chains).some(({ journal }) => journal !== undefined),
    connect: () => connect(parseEndpoint(enclave.endpoint), { clock }),
  })
  return { endpoint: enclave.endpoint, pid: enclave.pid, client }
}
