import { bytesToHex } from '@ethereumjs/util'
import type { EnclaveDescription } from '#devnet/base/options/devnet-description'
import { FaultyClock } from '#devnet/faults/faulty-clock'
import { registerDevSigners } from '#devnet/l1/register-dev-signers'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { l1ChainId } from '#fixtures/chain/constants'
import type { Address } from '#protocol/types/bytes'
import { bootSimulatedEnclave, type EnclaveFaults } from './boot-simulated-enclave.ts'
import { Port } from './network/wire.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { WorldContext } from './world-context.ts'

/** The first CID; vsock reserves 0 to 2, and Nitro hands out higher ones. */
const FIRST_CID = 16
const DAY = 86_400_000

export interface EnclavePlace {
  cid: number
  port: Port
  part: SimulatedPart
  /** As of its last boot. */
  describe(): EnclaveDescription
}

export function enclaveProcesses(context: WorldContext): EnclavePlace[] {
  const count = context.ground.options.enclaves
  return Array.from({ length: count }, (_, index) => enclavePlace(context, FIRST_CID + index))
}

function enclavePlace(context: WorldContext, cid: number): EnclavePlace {
  const { ground } = context
  const { recorder, faults, genesis, clock, rngOf, pcr0, imageHash, options } = ground
  const { config } = genesis
  const port = new Port(`enclave-${cid}`)
  const wrong: EnclaveFaults & { short_pcr0: number; foreign_root: number } = {
    crash_in_proof: 0,
    wrong_kind: 0,
    garbage: 0,
    long_frame: 0,
    short_pcr0: 0,
    foreign_root: 0,
  }
  const machineClock = new FaultyClock(clock)
  let signer: Address = `0x${'00'.repeat(20)}`
  let lives = 0
  const part = new SimulatedPart({
    name: `enclave.${cid}`,
    clock,
    recorder,
    faults,
    async start(process) {
      lives += 1
      const rng = rngOf(`enclave.${cid}/${lives}`)
      const root =
        wrong.foreign_root > 0 ? createSimRoot({ clock, rng: rngOf('foreign') }) : ground.root
      const booted = await bootSimulatedEnclave({
        process,
        port,
        clock: machineClock,
        chains: new Map([[BigInt(config.l2ChainId), config]]),
        pcr0: wrong.short_pcr0 > 0 ? pcr0.subarray(0, 32) : pcr0,
        root,
        // A world's keys come of its seed; those of a real devnet never do (ENC-START-05).
        rng,
        faults: wrong,
        recorder,
        parts: ground.parts,
      })
      signer = booted.signer
      if (!options.actors) await register(signer)
    },
  })

  async function register(address: Address): Promise<void> {
    const { l1Client, l1 } = ground
    const owner = { rpcUrl: l1Client, chainId: l1ChainId, mine: () => l1.mineAhead() }
    await registerDevSigners(owner, [{ signer: address, imageHash }])
  }

  const misbehave = (member: keyof typeof wrong) => () => {
    wrong[member] += 1
    return () => {
      wrong[member] -= 1
    }
  }
  /** From its next boot on, which is now. */
  const bootWrong = (member: keyof typeof wrong) => () => {
    const end = misbehave(member)()
    part.kill(0)
    return () => {
      end()
      part.kill(0)
    }
  }
  faults.register(`enclave:${cid}`, {
    new_key() {
      part.kill(0)
      return undefined
    },
    expired_attestation: () => machineClock.skew(-DAY),
    crash_in_proof: misbehave('crash_in_proof'),
    wrong_kind: misbehave('wrong_kind'),
    garbage: misbehave('garbage'),
    long_frame: misbehave('long_frame'),
    short_pcr0: bootWrong('short_pcr0'),
    foreign_root: bootWrong('foreign_root'),
  })
  return {
    cid,
    port,
    part,
    describe: () => ({
      cid,
      kind: 'sim',
      endpoint: `memory:${cid}`,
      pcr0: bytesToHex(pcr0),
      imageHash,
      signer,
    }),
  }
}
