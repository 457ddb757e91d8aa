import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { changedProof } from '../parts/changed-proof.ts'
import type { Request, Tee } from '../resign-proof.ts'
import { rewriteResult, without } from '../rewrites.ts'
import type { TeeJson } from '../tee-json.ts'

const prover = mutantsOf('prover', 'prover')

const PROVE = 'prover_prove'

/** Changes the proofs of some ranges. */
const ranges = (
  rule: string,
  name: string,
  says: string,
  isMeant: (tee: Tee, request: Request) => boolean,
  change: (tee: Tee) => JsonObject,
) =>
  prover(
    rule,
    name,
    says,
    changedProof((tee, request) => ({ Tee: isMeant(tee, request) ? change(tee) : tee })),
  )

const withAggregate = (tee: Tee, members: JsonObject) => ({
  ...tee,
  aggregate_proposal: { ...tee.aggregate_proposal, ...members },
})

const blocksOf = ({ proposals }: Tee) => proposals.length
const firstOf = ({ proposals }: Tee) => Number(proposals[0]!.l2_block_number)
const hasRoots = (tee: Tee, { intermediate_block_interval: interval }: Request) =>
  blocksOf(tee) > 1 && interval <= blocksOf(tee)

const turned = (signature: unknown) => String(signature).replace(/.{2}$/, '1b')

/** Takes what is wrong in the request where a proof of the same block was made. */
const takenFor =
  (isTaken: (request: JsonObject, of: JsonObject, tee: TeeJson) => boolean) => () => {
    const proven: { request: JsonObject; tee: TeeJson }[] = []
    return {
      response(
        response: JsonObject,
        { method, params }: { method: string; params: readonly unknown[] },
      ) {
        if (method !== PROVE) return response
        const request = params[0] as JsonObject
        if ('result' in response) {
          proven.push({ request, tee: (response.result as { Tee: TeeJson }).Tee })
          return response
        }
        const found = proven.find(
          ({ request: of, tee }) =>
            of.claimed_l2_block_number === request.claimed_l2_block_number &&
            isTaken(request, of, tee),
        )
        return found ? { ...without(response, 'error'), result: { Tee: found.tee } } : response
      },
    }
  }

const isSame = (name: string, one: JsonObject, other: JsonObject) => one[name] === other[name]

/** Mutants that are wrong for ranges of some length, place or interval alone. */
export const RANGE_MUTANTS: readonly Mutant[] = [
  ranges(
    'PRV-PROP-04',
    'older-origin-in-aggregate',
    'Says another L1 number in an aggregate of several blocks',
    (tee) => blocksOf(tee) > 1,
    (tee) =>
      withAggregate(tee, { l1_origin_number: Number(tee.aggregate_proposal.l1_origin_number) - 1 }),
  ),
  ranges(
    'PRV-RES-03',
    'middle-of-odd-lost',
    'Leaves the middle out of an odd number of blocks from five on',
    (tee) => blocksOf(tee) > 4 && blocksOf(tee) % 2 === 1,
    (tee) => ({ ...tee, proposals: tee.proposals.toSpliced(blocksOf(tee) >> 1, 1) }),
  ),
  ranges(
    'PRV-RES-04',
    'first-root-is-agreed',
    'An aggregate from a block of four starts behind its first block',
    (tee) => blocksOf(tee) > 1 && firstOf(tee) % 4 === 1,
    (tee) => withAggregate(tee, { prev_output_root: tee.proposals[0]!.output_root }),
  ),
  ranges(
    'PRV-PROP-01',
    'roots-beside',
    'An aggregate with intermediate roots names how many they are',
    hasRoots,
    (tee) => withAggregate(tee, { intermediate_roots: [] }),
  ),
  ranges(
    'PRV-PROP-08',
    'signed-again-at-interval-one',
    'Signs an aggregate of one block anew at an interval of one',
    (tee, request) => blocksOf(tee) === 1 && request.intermediate_block_interval === 1,
    (tee) => withAggregate(tee, { signature: turned(tee.aggregate_proposal.signature) }),
  ),
  ranges(
    'PRV-PROP-09',
    'last-signature-without-roots',
    'An aggregate without roots has the last signature',
    (tee, request) => blocksOf(tee) > 1 && !hasRoots(tee, request),
    (tee) => withAggregate(tee, { signature: tee.proposals.at(-1)!.signature }),
  ),
  ranges(
    'PRV-PROP-05',
    'aggregate-at-sample',
    'An aggregate ends at the last multiple of the interval',
    (tee, request) =>
      hasRoots(tee, request) && blocksOf(tee) % request.intermediate_block_interval > 0,
    (tee) =>
      withAggregate(tee, { l2_block_number: Number(tee.aggregate_proposal.l2_block_number) - 1 }),
  ),
  prover(
    'PRV-RES-05',
    'second-proof-turned',
    'The second long proof has two blocks exchanged',
    () => {
      let met = 0
      return rewriteResult(PROVE, (result) => {
        const { Tee } = result as { Tee: TeeJson }
        if (Tee.proposals.length < 2) return result
        met += 1
        if (met !== 2) return result
        const [first, second, ...rest] = Tee.proposals
        return { Tee: { ...Tee, proposals: [second, first, ...rest] } }
      })({} as never)
    },
  ),
  prover(
    'PRV-REQ-06',
    'agreed-root-of-one-block',
    'Checks no agreed root of one block',
    takenFor((request, of, tee) => {
      const isClaimSame = isSame('claimed_l2_output_root', request, of)
      const isOther = !isSame('agreed_l2_output_root', request, of)
      return tee.proposals.length === 1 && isClaimSame && isOther
    }),
  ),
  prover(
    'PIPE-18',
    'block-before-claimed',
    'Proves a claim that is right for the last block but one',
    takenFor(
      (request, of, tee) =>
        isSame('agreed_l2_output_root', request, of) &&
        request.claimed_l2_output_root === tee.proposals.at(-2)?.output_root,
    ),
  ),
  prover(
    'PIPE-18',
    'any-root-claimed',
    'Proves a claim that is right for any block of the range',
    takenFor(
      (request, of, tee) =>
        isSame('agreed_l2_output_root', request, of) &&
        tee.proposals.some((each) => each.output_root === request.claimed_l2_output_root),
    ),
  ),
  prover(
    'PIPE-18',
    'last-byte-not-compared',
    'Compares a claim but for its last byte',
    takenFor((request, of) => {
      const [claim, right] = [request, of].map((each) => String(each.claimed_l2_output_root))
      return claim !== right && claim?.slice(0, -2) === right?.slice(0, -2)
    }),
  ),
]
