import { bytesToHex } from '@ethereumjs/util'
import type { EnclaveDescription } from '#devnet/base/options/devnet-description'
import { FaultyClock } from '#devnet/faults/faulty-clock'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { l1ChainId } from '#fixtures/chain/constants'
import type { Address } from '#protocol/types/bytes'
import { asOfFirstDay } from '../genesis/as-of-first-day.ts'
import { type EnclavePart, signersOf } from '../parts/enclave-part.ts'
import { bootSimulatedEnclave, type EnclaveFaults } from './boot-simulated-enclave.ts'
import { Port } from './network/wire.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { WorldContext } from './world-context.ts'

const DAY = 86_400_000

export interface EnclavePlace extends Pick<EnclavePart, 'cid' | 'hostLink'> {
  port: Port
  part: SimulatedPart
  /** As of its last boot. */
  describe(): EnclaveDescription
}

export function enclaveProcesses(context: WorldContext): EnclavePlace[] {
  const { parts, options } = context.ground
  return parts.enclaves(options.enclaves).map((enclave) => enclavePlace(context, enclave))
}

function enclavePlace(context: WorldContext, enclave: EnclavePart): EnclavePlace {
  const { cid, name, hostLink } = enclave
  const { ground } = context
  const { recorder, faults, genesis, clock, rngOf, pcr0, imageHash, options } = ground
  const { config } = genesis
  const old = asOfFirstDay(config)
  const port = new Port(`enclave-${cid}`)
  const wrong: EnclaveFaults & Record<'short_pcr0' | 'foreign_root' | 'old_image', number> = {
    crash_in_proof: 0,
    wrong_kind: 0,
    garbage: 0,
    long_frame: 0,
    short_pcr0: 0,
    foreign_root: 0,
    old_image: 0,
  }
  const machineClock = new FaultyClock(clock)
  let signer: Address = `0x${'00'.repeat(20)}`
  let lives = 0
  const register = signersOf(
    { rpcUrl: ground.l1Client, chainId: l1ChainId, mine: () => ground.l1.mineAhead() },
    { leftToRegistrar: options.actors },
  )
  const part = new SimulatedPart({
    name,
    clock,
    recorder,
    faults,
    async start(process) {
      lives += 1
      const rng = rngOf(`${name}/${lives}`)
      const root =
        wrong.foreign_root > 0 ? createSimRoot({ clock, rng: rngOf('foreign') }) : ground.root
      const boot = () =>
        bootSimulatedEnclave({
          process,
          port,
          clock: machineClock,
          chains: new Map([
            [BigInt(config.l2ChainId), wrong.old_image > 0 ? (old ?? config) : config],
          ]),
          pcr0: wrong.short_pcr0 > 0 ? pcr0.subarray(0, 32) : pcr0,
          root,
          // A world's keys come of its seed; those of a real devnet never do (ENC-START-05).
          rng,
          faults: wrong,
          recorder,
          parts: ground.parts,
        })
      ;({ signer } = await enclave.start({ boot, register }))
    },
  })

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
    ...(old && { old_image: bootWrong('old_image') }),
  })
  return {
    ...{ cid, hostLink },
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
