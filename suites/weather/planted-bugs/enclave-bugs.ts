import type {
  Preimage,
  PreimageOracle,
} from '../../../enclave-sim/protocol/oracle/preimage-oracle.ts'
import { verifyInTurns } from '../../../enclave-sim/protocol/oracle/verified-oracle.ts'
import { loadBoot } from '../../../enclave-sim/protocol/proof/boot.ts'
import { InvalidClaim } from '../../../enclave-sim/protocol/proof/claim.ts'
import { runProgram } from '../../../enclave-sim/protocol/proof/run-program.ts'
import type { ExecutedBlock } from '../../../enclave-sim/protocol/proof/types.ts'
import type { Hash } from '../../../enclave-sim/protocol/types/bytes.ts'
import type { PlantedBug } from './planted-bug.ts'

export const enclaveBugs: readonly PlantedBug[] = [
  {
    name: 'signs-before-comparing',
    says: 'The enclave signs what was claimed, and compares it with what it executed afterwards.',
    breaks: 'no-false-signature',
    plant: () => ({
      async runProgram(oracle, options) {
        const blocks: ExecutedBlock[] = []
        const onBlock = (block: ExecutedBlock) => void blocks.push(block)
        try {
          return await runProgram(oracle, { ...options, onBlock })
        } catch (error) {
          const last = blocks.at(-1)
          if (!(error instanceof InvalidClaim) || !last) throw error
          const boot = await loadBoot(oracle)
          return {
            ...boot,
            l1HeadNumber: boot.l1HeadNumber ?? 0n,
            configHash: boot.l1Head,
            agreedBlockNumber: blocks[0]!.number - 1n,
            blocks: [...blocks.slice(0, -1), { ...last, outputRoot: boot.claimedOutputRoot }],
          }
        }
      },
    }),
  },
  {
    name: 'keeps-values-of-other-proofs',
    says: 'The enclave fills in what a witness lacks from the proofs before it.',
    breaks: 'no-false-signature',
    plant() {
      const kept: Preimage[] = []
      return {
        async verifyInTurns(preimages) {
          const sent = [...preimages]
          const before = await verifyInTurns(kept)
          const own = await verifyInTurns(sent)
          kept.push(...sent.filter(({ key }) => key.type === 'keccak256'))
          return orElse(own, before)
        },
      }
    },
  },
]

/** What the first lacks is asked of the second. */
function orElse(first: PreimageOracle, second: PreimageOracle): PreimageOracle {
  return {
    peek: (hash: Hash) => first.peek(hash) ?? second.peek(hash),
    keccak: (hash, hint) => first.keccak(hash, hint).catch(() => second.keccak(hash, hint)),
    local: (identifier) => first.local(identifier),
    blob: (hash, timestamp) => first.blob(hash, timestamp),
  }
}
