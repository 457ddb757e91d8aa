import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { launchEnclave, type RunningEnclave } from '#devnet/proving/enclaves/launch-enclave'
import { buildImage } from '#enclave/image/build-image'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { connect } from '#enclave/vsock/connect'
import { parseEndpoint } from '#enclave/vsock/endpoint'
import { readFrame, writeFrame } from '#enclave/wire/frame'
import { systemClock as clock } from '#protocol/clock/system-clock'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { type Rng, systemRng } from '#protocol/random/rng'

export interface EnclaveUnderTest extends RunningEnclave {
  /** Every file of the enclave and its image is in here. */
  workDir: string
  /** All that the enclave's process and its launcher said. */
  logged: string[]
  /** One connection: sends a payload, gives the response's payload, or nothing where it is dropped. */
  exchange(payload: Uint8Array): Promise<Buffer | undefined>
}

/** A built and measured image in a process of its own, as isolated as this machine allows. */
export async function runEnclave(
  config: RollupConfig,
  rng: Rng = systemRng,
): Promise<EnclaveUnderTest> {
  const owned = new ResourceStack()
  const workDir = await mkdtemp(join(tmpdir(), 'rb-'))
  owned.defer(() => rm(workDir, { recursive: true, force: true }))
  try {
    const logged: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
    const { dir: imageDir } = await buildImage({ outDir: join(workDir, 'image'), chains: [config] })
    const root = createSimRoot({ clock, rng: systemRng })
    const enclave = await launchEnclave({
      ...{ cid: 16, imageDir, root, clock, rng, logger, workDir },
      insecureNoIsolation: true,
    })
    owned.add(enclave)
    const endpoint = parseEndpoint(enclave.endpoint)
    return {
      ...enclave,
      workDir,
      logged,
      async exchange(payload) {
        const stream = await connect(endpoint, { clock })
        stream.on('error', () => undefined)
        try {
          await writeFrame(stream, payload)
          return await readFrame(stream, { clock }).catch(() => undefined)
        } finally {
          stream.destroy()
        }
      },
      stop: () => owned.stop(),
    }
  } catch (error) {
    await owned.stop()
    throw error
  }
}
