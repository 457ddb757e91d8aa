import { type Hex, hexToBytes, toHex } from 'viem'
import { LOCAL, localKey } from '#suites/gate/conformance/spec/enclave-messages'
import type { Preimage } from '#suites/gate/conformance/spec/enclave-payloads'
import { type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { changePreimages } from './change-preimages.ts'
import { aggregateSignature, signAggregates } from './sign-aggregates.ts'
import { preimageHash, unchecked } from './unchecked-preimages.ts'

const enclave = mutantsOf('enclave', 'enclave')

const ZERO: Hex = `0x${'00'.repeat(32)}`
/** Digits of half a hash. */
const HALF = 32
const COMMITMENT = 48

const onlyFirstOfKey = changePreimages((all) => {
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
  changePreimages((all) =>
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
  return signAggregates((response) => {
    first ??= aggregateSignature(response)
    return first
  })
}

/** Mutants that check some preimages and not others, or misread a local value. */
export const PREIMAGE_MUTANTS: readonly Mutant[] = [
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
    unchecked((each) => preimageHash(each)?.slice(-HALF) === toHex(each.key.data).slice(-HALF)),
  ),
  enclave(
    'PIPE-08',
    'commitments-unchecked',
    'Checks no SHA-256 preimage as long as a commitment',
    unchecked(({ key, value }) => key.type === 'sha256' && value.length === COMMITMENT),
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
  enclave(
    'PIPE-09',
    'first-aggregate',
    'Signs every aggregate for the first proposer',
    firstAggregate,
  ),
  enclave(
    'SAFE-05',
    'first-half-unchecked',
    'Checks the second half of the preimages',
    unchecked((_, at, all) => at < all.length / 2),
  ),
  enclave(
    'SAFE-05',
    'long-unchecked',
    'Checks no preimage of more than 600 bytes',
    unchecked(({ value }) => value.length > 600),
  ),
]
