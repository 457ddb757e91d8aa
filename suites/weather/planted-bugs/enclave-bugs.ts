import type { Preimage, PreimageOracle } from '#protocol/oracle/preimage-oracle'
import { verifyInTurns } from '#protocol/oracle/verified-oracle'
import { loadBoot } from '#protocol/proof/boot'
import { InvalidClaim } from '#protocol/proof/claim'
import { runProgram } from '#protocol/proof/run-program'
import type { ExecutedBlock } from '#protocol/proof/types'
import type { Hash } from '#protocol/types/bytes'
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
