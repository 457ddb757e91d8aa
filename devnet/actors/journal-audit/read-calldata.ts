import { decodeFunctionData, size, slice, type Hex as ViemHex } from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address, Hash, Hex } from '#protocol/types/bytes'

/** What a call to the proof contracts submits. */
export type Submission = GameCreation | ProposalProof | IntervalProof | Verification

/** `DisputeGameFactory.createWithInitData` */
export interface GameCreation {
  kind: 'game'
  gameType: number
  rootClaim: Hash
  l2Block: bigint
  parent: Address
  roots: Hash[]
  l1OriginHash: Hash
  /** Not signed: it tells the contract where to find the hash. */
  l1OriginNumber: bigint
  signature: Hex
}

/** `AggregateVerifier.verifyProposalProof`: the whole game again. */
export interface ProposalProof {
  kind: 'proposal'
  signature: Hex
}

/** `AggregateVerifier.nullify`: one interval with another root. */
export interface IntervalProof {
  kind: 'interval'
  index: number
  root: Hash
  signature: Hex
}

/** `TEEVerifier.verify`: only the hash of the journal. */
export interface Verification {
  kind: 'verification'
  proposer: Address
  imageHash: Hash
  digest: Hash
  signature: Hex
}

const ABI = [
  ...disputeGameFactoryAbi.filter((item) => 'name' in item && item.name === 'createWithInitData'),
  ...aggregateVerifierAbi.filter(
    (item) => 'name' in item && ['verifyProposalProof', 'nullify'].includes(item.name),
  ),
  ...teeVerifierAbi.filter((item) => 'name' in item && item.name === 'verify'),
]

const TEE = 0

/** Calldata that submits no TEE signature. */
export class CalldataInvalid extends RollbedError {
  constructor(problem: string, cause?: unknown) {
    super('CALLDATA_INVALID', `This calldata submits no TEE signature: ${problem}.`, {
      hint: 'Known are createWithInitData, verifyProposalProof, nullify and TEEVerifier.verify.',
      cause,
    })
  }
}

/** True for bytes that begin with the selector of a known call. */
export function isKnownCall(data: Hex): boolean {
  try {
    decodeFunctionData({ abi: ABI, data })
    return true
  } catch {
    return false
  }
}

/** @throws CalldataInvalid for another call, a ZK proof, or bytes that end too early */
export function readCalldata(data: Hex): Submission {
  const { functionName, args } = decode(data)
  try {
    switch (functionName) {
      case 'createWithInitData': {
        const [gameType, rootClaim, extraData, initData] = args
        requireTee(initData)
        return {
          kind: 'game',
          gameType,
          rootClaim,
          l2Block: BigInt(slice(extraData, 0, 32)),
          parent: slice(extraData, 32, 52),
          roots: words(extraData, 52),
          l1OriginHash: slice(initData, 1, 33),
          l1OriginNumber: BigInt(slice(initData, 33, 65)),
          signature: rest(initData, 65),
        }
      }
      case 'verifyProposalProof': {
        requireTee(args[0])
        return { kind: 'proposal', signature: rest(args[0], 1) }
      }
      case 'nullify': {
        const [proof, index, root] = args
        requireTee(proof)
        return { kind: 'interval', index: Number(index), root, signature: rest(proof, 1) }
      }
      case 'verify': {
        const [proof, imageHash, digest] = args
        const proposer = slice(proof, 0, 20)
        return { kind: 'verification', proposer, imageHash, digest, signature: rest(proof, 20) }
      }
      default:
        throw new CalldataInvalid('its call is not known here')
    }
  } catch (error) {
    if (error instanceof CalldataInvalid) throw error
    throw new CalldataInvalid('its bytes end too early', error)
  }
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: ABI, data })
  } catch (error) {
    throw new CalldataInvalid(`${data.slice(0, 10)} is no call that is known here`, error)
  }
}

function requireTee(proof: ViemHex): void {
  const kind = Number(slice(proof, 0, 1))
  if (kind !== TEE) throw new CalldataInvalid(`its proof has type ${kind}, not ${TEE}`)
}

/** Words after `offset`; what is left of a word at the end is no root. */
function words(data: ViemHex, offset: number): Hash[] {
  const count = Math.floor((size(data) - offset) / 32)
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    slice(data, offset + 32 * index, offset + 32 * (index + 1)),
  )
}

/** The contracts take 65 bytes and ignore what follows. */
function rest(data: ViemHex, offset: number): Hex {
  return size(data) <= offset ? '0x' : slice(data, offset, Math.min(size(data), offset + 65))
}
