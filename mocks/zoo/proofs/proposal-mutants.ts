import { keccak256, numberToHex, toHex } from 'viem'
import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { changedProof } from '../parts/changed-proof.ts'
import { type Hex, type Request, type Tee, word } from '../resign-proof.ts'
import { rewriteResult } from '../rewrites.ts'
import type { TeeJson } from '../tee-json.ts'

const prover = mutantsOf('prover', 'prover')

const PROVE = 'prover_prove'

const OTHER_WORD = keccak256(toHex('another'))

type Asked = Request & { agreed_l2_head_hash: Hex }
type Proposals = Tee['proposals']

const teeOf = (response: JsonObject) => (response.result as { Tee?: Tee } | undefined)?.Tee
const withTee = (response: JsonObject, tee: Tee) => ({ ...response, result: { Tee: tee } })

const proof = (rule: string, name: string, says: string, change: (tee: Tee) => Tee) =>
  prover(
    rule,
    name,
    says,
    rewriteResult(PROVE, (result) => ({ Tee: change((result as { Tee: Tee }).Tee) })),
  )
/** The proposal at one place of a long range is wrong. */
const oneOfMany = (
  rule: string,
  name: string,
  says: string,
  place: number,
  change: (all: Proposals) => JsonObject,
) =>
  proof(rule, name, says, (tee) => ({
    ...tee,
    proposals: tee.proposals.map((each, at, all) =>
      at === place ? { ...each, ...change(all) } : each,
    ),
  }))
/** Changes the responses to requests for proofs. */
const responses = (
  rule: string,
  name: string,
  says: string,
  make: () => (response: JsonObject) => JsonObject,
) =>
  prover(rule, name, says, () => {
    const change = make()
    return {
      response: (response, { method }) => (method === PROVE ? change(response) : response),
    }
  })

/** Takes two blocks for one. */
const twoBlocksAsOne = rewriteResult(PROVE, (result) => {
  const { Tee } = result as { Tee: TeeJson }
  if (Tee.proposals.length !== 2) return result
  const { signature } = Tee.proposals[1]!
  return { Tee: { ...Tee, aggregate_proposal: { ...Tee.aggregate_proposal, signature } } }
})

/** Mutants of the proposals of a proof at one place, of one length, or after another proof. */
export const PROPOSAL_MUTANTS: readonly Mutant[] = [
  proof('PRV-RES-03', 'ten-blocks', 'Lists ten blocks at most', (tee) => ({
    ...tee,
    proposals: tee.proposals.slice(0, 10),
  })),
  oneOfMany('PRV-RES-06', 'ninth-before', 'Has a root of two before for the ninth', 8, (all) => ({
    prev_output_root: all[6]!.output_root,
  })),
  oneOfMany('PRV-PROP-03', 'origin-of-fifth', 'Has another origin for the fifth', 4, () => ({
    l1_origin_hash: OTHER_WORD,
  })),
  prover(
    'PRV-PROP-05',
    'aggregate-of-longer',
    'Has the aggregate of the longest range from a parent',
    () => {
      const longest = new Map<string, Tee>()
      return {
        response(response, { method, params }) {
          const tee = teeOf(response)
          if (method !== PROVE || !tee) return response
          const { agreed_l2_head_hash, l1_head, proposer } = params[0] as Asked
          const key = [agreed_l2_head_hash, l1_head, proposer].join()
          const known = longest.get(key)
          const isLonger = !known || known.proposals.length < tee.proposals.length
          if (isLonger) longest.set(key, tee)
          const { aggregate_proposal } = isLonger ? tee : known
          return withTee(response, { ...tee, aggregate_proposal })
        },
      }
    },
  ),
  responses('PRV-PROP-07', 'config-lost', 'Loses the config hash by a failure', () => {
    let isLost = false
    return (response) => {
      const tee = teeOf(response)
      const wasLost = isLost
      isLost = !tee
      if (!tee || !wasLost) return response
      const proposals = tee.proposals.map((each) => ({ ...each, config_hash: word(0n) }))
      return withTee(response, { ...tee, proposals })
    }
  }),
  responses('ERR-15', 'message-of-before', 'Tells of the failure before', () => {
    let before: unknown
    return (response) => {
      const error = response.error as JsonObject | undefined
      if (error?.code !== -32000) return response
      const message = before ?? error.message
      before = error.message
      return { ...response, error: { ...error, message } }
    }
  }),
  prover(
    'PRV-RES-07',
    'genesis-without-root',
    'Has no root before block 1',
    changedProof((tee) => ({
      Tee: {
        ...tee,
        proposals: tee.proposals.map((each) =>
          each.l2_block_number === 1
            ? { ...each, prev_output_root: numberToHex(0, { size: 32 }) }
            : each,
        ),
      },
    })),
  ),
  prover(
    'PRV-RES-01',
    'bare-for-one-block',
    'Leaves the variant out where a proof has one block',
    changedProof((tee) => (tee.proposals.length === 1 ? tee : { Tee: tee })),
  ),
  prover(
    'PRV-PROP-09',
    'two-blocks-as-one',
    'The aggregate of two blocks has the last signature',
    twoBlocksAsOne,
  ),
]
