import { type Hex, numberToHex, toFunctionSelector } from 'viem'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { rewriteResult } from '../rewrites.ts'

const mutant = mutantsOf('verifier', 'l1')

interface Called {
  data: Hex
}

const TRUE: Hex = `0x${'0'.repeat(63)}1`

const selectorOf = (abi: readonly { type: string; name?: string }[], name: string) =>
  toFunctionSelector(abi.find((item) => item.name === name) as never)
const VERIFY = selectorOf(teeVerifierAbi, 'verify')
const CREATE = selectorOf(disputeGameFactoryAbi, 'createWithInitData')
/** Four bytes of an error, as those of a function. */
const errorOf = (signature: string) => toFunctionSelector(signature)
const INVALID_SIGNATURE = errorOf('InvalidSignature()')
const INVALID_SIGNER = errorOf('InvalidSigner(address)')
const OTHER_IMAGE = errorOf('ImageIdMismatch(bytes32,bytes32)')

/** Contracts that let through what they should refuse, seen in the blocks that L1 simulates. */
const letsThrough = (
  rule: string,
  name: string,
  says: string,
  selector: Hex,
  isMeant: (error: Hex, call: Called, taken: ReadonlySet<Hex>) => boolean,
) =>
  mutant(
    rule,
    name,
    says,
    rewriteResult('eth_simulateV1', (result, { params }) => {
      const [{ blockStateCalls }] = params as [{ blockStateCalls: { calls: Called[] }[] }]
      return (result as (JsonObject & { calls: JsonObject[] })[]).map((block, at) => {
        const taken = new Set<Hex>()
        return {
          ...block,
          calls: block.calls.map((outcome, index) => {
            const call = blockStateCalls[at]!.calls[index]!
            if (outcome.status === '0x1') taken.add(call.data)
            if (outcome.status === '0x1' || !call.data.startsWith(selector)) return outcome
            const { error: thrown, returnData, ...rest } = outcome
            const data = (thrown as { data?: Hex } | undefined)?.data ?? returnData
            if (!isMeant(data as Hex, call, taken)) return outcome
            return { ...rest, status: '0x1', returnData: TRUE }
          }),
        }
      })
    }),
  )

/** Mutants of the contracts that take proofs on L1. */
export const VERIFIER_MUTANTS: readonly Mutant[] = [
  letsThrough(
    'SIG-07',
    'recovers-nothing',
    'Takes a signature that nobody made',
    VERIFY,
    (error) => error.startsWith(INVALID_SIGNATURE) || error.startsWith(INVALID_SIGNER),
  ),
  letsThrough('SIG-08', 'registry-not-asked', 'Takes any signer', VERIFY, (error) =>
    error.startsWith(INVALID_SIGNER),
  ),
  letsThrough('SIG-09', 'any-image', 'Takes a registered signer of any image', VERIFY, (error) =>
    error.startsWith(OTHER_IMAGE),
  ),
  letsThrough(
    'SIG-10',
    'validity-cached',
    'Goes on taking what it took before',
    VERIFY,
    (_, { data }, taken) => taken.has(data),
  ),
  letsThrough(
    'SIG-11',
    'sender-not-compared',
    'Takes a claim from whoever sends it',
    CREATE,
    (error) => error.startsWith(INVALID_SIGNER),
  ),
  mutant(
    'SIG-07',
    'signature-of-zeros',
    'Takes a signature of nothing but zeros',
    rewriteResult('eth_simulateV1', (result, { params }) => {
      const [{ blockStateCalls }] = params as [{ blockStateCalls: { calls: { data: Hex }[] }[] }]
      return (result as (JsonObject & { calls: JsonObject[] })[]).map((block, at) => ({
        ...block,
        calls: block.calls.map((outcome, index) => {
          const { data } = blockStateCalls[at]!.calls[index]!
          const isOfZeros = /0{128}(00|1b|1c)0{22}$/.test(data)
          if (outcome.status === '0x1' || !isOfZeros) return outcome
          const { error: _, ...rest } = outcome
          return { ...rest, status: '0x1', returnData: numberToHex(1, { size: 32 }) }
        }),
      }))
    }),
  ),
]
