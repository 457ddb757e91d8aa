import type { Hex } from 'viem'
import { sleep } from '#protocol/clock/clock'
import {
  type JsonObject,
  type Mutant,
  type MutantContext,
  type MutantHooks,
  mutantsOf,
} from '../mutant.ts'
import { rewriteResult, without } from '../rewrites.ts'
import type { TeeJson } from '../tee-json.ts'

const prover = mutantsOf('prover', 'prover')

const PROVE = 'prover_prove'

const ZERO: Hex = `0x${'00'.repeat(32)}`
/** Digits of half a hash. */
const HALF = 32

/** A wrong claim and the proof of the same block that was right. */
interface WrongClaim {
  claim: string
  right: string
  agreed: string
  blocks: number
}

/** Answers with the right proof where a claim is wrong in such a way. */
const taking =
  (isTaken: (wrong: WrongClaim) => boolean): Mutant['apply'] =>
  () => {
    const proven: { request: JsonObject; result: { Tee: TeeJson } }[] = []
    return {
      response(response, { method, params }) {
        if (method !== PROVE) return response
        const request = params[0] as JsonObject
        if ('result' in response) {
          proven.push({ request, result: response.result as { Tee: TeeJson } })
          return response
        }
        const found = proven.find(({ request: of, result }) => {
          const [claim, right] = [request, of].map((each) => String(each.claimed_l2_output_root))
          const isSameBlock = of.claimed_l2_block_number === request.claimed_l2_block_number
          const agreed = String(of.agreed_l2_output_root)
          const blocks = result.Tee.proposals.length
          if (!isSameBlock || claim === right) return false
          return isTaken({ claim: claim!, right: right!, agreed, blocks })
        })
        return found ? { ...without(response, 'error'), result: found.result } : response
      },
    }
  }

/** The proof up to a block that was made first, wherever it began. */
const keptByLastBlock = (): MutantHooks => {
  const proofs = new Map<string, unknown>()
  return {
    response(response, { method, params }) {
      if (method !== PROVE || !('result' in response)) return response
      const request = params[0] as JsonObject
      const key = JSON.stringify(without(request, 'agreed_l2_head_hash', 'agreed_l2_output_root'))
      if (!proofs.has(key)) proofs.set(key, response.result)
      return { ...response, result: proofs.get(key) }
    },
  }
}

/** Knows an L1 head by its number, and gives the proof of that block. */
const headByNumber = (): MutantHooks => {
  const proofs = new Map<unknown, unknown>()
  return {
    response(response, { method, params }) {
      if (method !== PROVE) return response
      const { l1_head_number, claimed_l2_output_root: root, l1_head } = Object(params[0])
      const key = `${l1_head_number} ${root}`
      if ('result' in response) proofs.set(key, { l1_head, result: response.result })
      const known = proofs.get(key) as { l1_head: unknown; result: unknown } | undefined
      if (!known || known.l1_head === l1_head) return response
      return { ...without(response, 'error'), result: known.result }
    },
  }
}

/** The second of two proofs under way gets the one that was made before. */
const proofOfAnother: Mutant['apply'] = ({ underWay = () => 1 }) => {
  let last: unknown
  return rewriteResult('prover_prove', (result) => {
    const before = last
    last = result
    return underWay() > 1 && before !== undefined ? before : result
  })({} as MutantContext)
}

/** Milliseconds in which all come that are asked for at once. */
const MOMENT = 300

/** Of proofs under way that differ by their L1 head alone each gets the one that was made first. */
const headOfAnother: Mutant['apply'] = ({ clock }) => {
  const proofs = new Map<string, unknown>()
  const beside = new WeakSet<object>()
  let proving = 0
  return {
    call(call) {
      if (call.method !== PROVE) return call
      if (proving > 0) beside.add(call)
      proving += 1
      return call
    },
    async response(response, call) {
      const { method, params } = call
      if (method !== PROVE) return response
      // A proof that was kept is there at once: it takes a moment all the same.
      await sleep(clock, MOMENT)
      proving -= 1
      if (!('result' in response)) return response
      const key = JSON.stringify(without(params[0] as JsonObject, 'l1_head', 'l1_head_number'))
      if (!proofs.has(key)) proofs.set(key, response.result)
      return beside.has(call) ? { ...response, result: proofs.get(key) } : response
    },
  }
}

/** Mutants that prove a claim that is wrong, or give a proof that was made for another request. */
export const CLAIM_MUTANTS: readonly Mutant[] = [
  prover(
    'PRV-REQ-03',
    'l1-head-by-number',
    'Knows the L1 head by its number, and does not look at its hash',
    headByNumber,
  ),
  prover(
    'PIPE-18',
    'one-block-not-compared',
    'Compares no claim of one block',
    taking(({ blocks }) => blocks === 1),
  ),
  prover(
    'PIPE-18',
    'zero-claim-taken',
    'Takes a claim of zeros for none, and proves',
    taking(({ claim }) => claim === ZERO),
  ),
  prover(
    'PIPE-18',
    'agreed-root-claimed',
    'Takes the agreed root for the claim of a range in which nothing happens',
    taking(({ claim, agreed }) => claim === agreed),
  ),
  prover(
    'PIPE-18',
    'half-compared',
    'Compares the second half of a claim',
    taking(({ claim, right }) => claim.slice(-HALF) === right.slice(-HALF)),
  ),
  prover(
    'PRV-REQ-05',
    'kept-by-last-block',
    'Keeps a proof by its last block, wherever it began',
    keptByLastBlock,
  ),
  prover(
    'PRV-RES-03',
    'proof-of-another',
    'Gives the proof made before to whoever asks while another one does',
    proofOfAnother,
  ),
  prover(
    'PRV-PROP-03',
    'head-of-another',
    'Gives the same proof for two L1 heads while both are under way',
    headOfAnother,
  ),
]
