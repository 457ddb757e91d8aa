import { type Hex, hexToBytes, toHex } from 'viem'
import { hashKey, LOCAL, localKey } from '#suites/gate/conformance/spec/enclave-messages'
import {
  decodeResponse,
  encodeResponse,
  type Preimage,
} from '#suites/gate/conformance/spec/enclave-payloads'
import { handed, requestIn } from './handed-request.ts'
import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from './mutant.ts'
import { answerInstead, rewriteFirst, rewriteResult, without } from './rewrites.ts'
import type { TeeJson } from './tee-json.ts'

const [PROVE, ATTEST] = ['prover_prove', 'enclave_signerAttestation'] as const
const [codes, enclave] = [mutantsOf('builder-codes', 'api'), mutantsOf('enclave', 'enclave')]
const [prover, journal] = [mutantsOf('prover', 'prover'), mutantsOf('journal', 'prover')]
const ZERO: Hex = `0x${'00'.repeat(32)}`
/** Digits of half a hash. */
const HALF = 32
const COMMITMENT = 48
const INVALID = { error: { code: -32602, message: 'Invalid params' } }

/** Codes that have something behind them. */
const codesWith = (end: string) => (): MutantHooks => ({
  async http(request, forward) {
    const answer = await forward(request)
    if (answer.status >= 300) return answer
    const record = JSON.parse(answer.body) as JsonObject
    const body = JSON.stringify({ ...record, builderCode: `${record.builderCode}${end}` })
    return { ...answer, body }
  },
})

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

/** Registers for what it makes of an address. */
const mending = (change: (wallet: string) => string) => (): MutantHooks => ({
  http(request, forward) {
    if (!request.body.includes('"walletAddress":"')) return forward(request)
    return forward({ ...request, body: change(request.body) })
  },
})

/** Signs for another proposer. */
const signedFor = (change: (proposer: string) => string) =>
  rewriteFirst(PROVE, (request) => ({ ...request, proposer: change(String(request.proposer)) }))

/** Takes two blocks for one. */
const twoBlocksAsOne = rewriteResult(PROVE, (result) => {
  const { Tee } = result as { Tee: TeeJson }
  if (Tee.proposals.length !== 2) return result
  const { signature } = Tee.proposals[1]!
  return { Tee: { ...Tee, aggregate_proposal: { ...Tee.aggregate_proposal, signature } } }
})

const refusingParams = (isRefused: (params: readonly unknown[]) => boolean) =>
  answerInstead(ATTEST, (params) => (isRefused(params) ? INVALID : undefined))

/** An enclave that is handed other pairs. */
const pairs = (change: (preimages: Preimage[]) => Preimage[]) =>
  handed((request) =>
    request.kind === 'Prove' ? { ...request, preimages: change(request.preimages) } : request,
  )

const hashOf = ({ key: { type }, value }: Preimage): Hex | undefined =>
  type === 'keccak256' || type === 'sha256' ? toHex(hashKey(type, value)) : undefined
const isWrong = (preimage: Preimage) =>
  ![undefined, toHex(preimage.key.data)].includes(hashOf(preimage))

/** Takes some wrong preimages without a word. */
const unchecked = (isUnchecked: (preimage: Preimage) => boolean) =>
  pairs((all) => all.filter((each) => !(isWrong(each) && isUnchecked(each))))

const onlyFirstOfKey = pairs((all) => {
  const known = new Set<string>()
  return all.filter(({ key: { type, data } }) => {
    const name = `${type} ${toHex(data)}`
    const isNew = !known.has(name)
    known.add(name)
    return isNew
  })
})

const isLocal = (identifier: number) => {
  const name = toHex(localKey(identifier))
  return ({ key: { type, data } }: Preimage) => type === 'local' && toHex(data) === name
}

/** Reads a local value otherwise. */
const local = (
  identifier: number,
  change: (value: Uint8Array, all: readonly Preimage[]) => Uint8Array,
) =>
  pairs((all) =>
    all.map((each) =>
      isLocal(identifier)(each) ? { ...each, value: change(each.value, all) } : each,
    ),
  )

/** Proves what it proved first where a claim is such. */
const claiming = (isTaken: (claim: Hex, agreed: Hex) => boolean) => (): MutantHooks => {
  let first: Uint8Array | undefined
  return local(LOCAL.claimedRoot, (claim, all) => {
    first ??= claim
    const agreed = all.find(isLocal(LOCAL.agreedRoot))?.value ?? hexToBytes(ZERO)
    return isTaken(toHex(claim), toHex(agreed)) ? first : claim
  })()
}

/** The aggregate has the signature of the first one, whoever proposes now. */
const firstAggregate = (): MutantHooks => {
  let first: Hex | undefined
  return {
    enclave: {
      answer: (forward) => async (payload) => {
        const answer = await forward(payload)
        if (!answer || requestIn(payload)?.kind !== 'Prove') return answer
        const response = decodeResponse(answer)
        if (response.kind !== 'Prove' || response.result.kind !== 'Tee') return answer
        const { result } = response
        first ??= result.aggregateProposal.signature
        const aggregateProposal = { ...result.aggregateProposal, signature: first }
        return encodeResponse({ ...response, result: { ...result, aggregateProposal } })
      },
    },
  }
}

/** Mistakes that show for some values alone: zeros at an end, an empty one, the shortest range, the agreed root. */
export const CORNER_MUTANTS: readonly Mutant[] = [
  codes(
    'ATTR-03',
    'longer-than-a-suffix',
    'Issues codes of 300 letters',
    codesWith('x'.repeat(289)),
  ),
  codes('ATTR-03', 'beyond-ascii', 'Issues codes with a letter beyond ASCII', codesWith('é')),
  codes(
    'BC-06',
    'digits-of-any-script',
    'Takes digits of other scripts for digits',
    mending((body) => body.normalize('NFKC')),
  ),
  codes(
    'BC-06',
    'underscores',
    'Takes an address with underscores between its digits',
    mending((body) => body.replace(/(?<=[0-9a-f])_(?=[0-9a-f])/g, '')),
  ),
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
    'PRV-PROP-09',
    'two-blocks-as-one',
    'The aggregate of two blocks has the last signature',
    twoBlocksAsOne,
  ),
  prover(
    'HOST-RPC-06',
    'two-places-demanded',
    'Demands both parameters of a document, be they null',
    refusingParams(({ length }) => length < 2),
  ),
  prover(
    'HOST-RPC-07',
    'nonces-place-demanded',
    'Demands nonces beside user data, be they null',
    refusingParams(({ length }) => length === 1),
  ),
  journal(
    'PRV-REQ-08',
    'zeros-lost',
    'Signs a proposer without the zeros at its front',
    signedFor((proposer) => proposer.replace(/^0x((?:00)+)(.*)$/, '0x$2$1')),
  ),
  journal(
    'PRV-REQ-08',
    'zeros-behind-lost',
    'Signs a proposer without the zeros at its end',
    signedFor((proposer) => proposer.replace(/^0x(.*?)((?:00)+)$/, '0x$2$1')),
  ),
  enclave(
    'SAFE-05',
    'repeated-unchecked',
    'Checks no preimage of a key that it has',
    onlyFirstOfKey,
  ),
  enclave(
    'SAFE-05',
    'empty-unchecked',
    'Checks no empty preimage',
    unchecked(({ value }) => value.length === 0),
  ),
  enclave(
    'PIPE-07',
    'half-a-key-compared',
    'Compares the second half of a hash with its key',
    unchecked((each) => hashOf(each)?.slice(-HALF) === toHex(each.key.data).slice(-HALF)),
  ),
  enclave(
    'PIPE-08',
    'commitments-unchecked',
    'Checks no SHA-256 preimage as long as a commitment',
    unchecked(({ key, value }) => key.type === 'sha256' && value.length === COMMITMENT),
  ),
  enclave(
    'PIPE-09',
    'first-aggregate',
    'Signs every aggregate for the first proposer',
    firstAggregate,
  ),
  enclave(
    'PIPE-09',
    'proposer-as-number',
    'Reads a proposer without the zeros at its front',
    local(LOCAL.proposer, (value) => {
      const zeros = value.findIndex((byte) => byte !== 0)
      return Buffer.concat([value.subarray(zeros), value.subarray(0, zeros)])
    }),
  ),
  enclave(
    'PIPE-13',
    'one-is-three',
    'Samples each third block where each one was asked for',
    local(LOCAL.interval, (value) =>
      value.map((byte, at) => (at === value.length - 1 && byte === 1 ? 3 : byte)),
    ),
  ),
  enclave(
    'PIPE-18',
    'zero-claim-taken',
    'Takes a claim of zeros for none, and proves',
    claiming((claim) => claim === ZERO),
  ),
  enclave(
    'PIPE-18',
    'agreed-root-claimed',
    'Takes the agreed root for the claim of a range in which nothing happens',
    claiming((claim, agreed) => claim === agreed),
  ),
]
