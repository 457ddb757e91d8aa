import { concatHex, encodePacked, type Hex, keccak256, numberToHex } from 'viem'
import { sign } from 'viem/accounts'
import { configHash, imageHash } from './proof-stack.ts'

/** An enclave key of these tests. */
export const enclave = {
  address: '0x249bd55835bf8cab0550340902d30fafcdf1908a' as Hex,
  privateKey: keccak256('0xe1'),
}

export interface Transition {
  proposer: Hex
  l1Origin: Hex
  startRoot: Hex
  startBlock: bigint
  endRoot: Hex
  endBlock: bigint
  roots: Hex[]
  config?: Hex
}

/** keccak256 of the packed journal (JRN-01), built with viem alone. */
export function journalHash(transition: Transition): Hex {
  const { proposer, l1Origin, startRoot, startBlock, endRoot, endBlock, roots } = transition
  return keccak256(
    encodePacked(
      [
        'address',
        'bytes32',
        'bytes32',
        'uint64',
        'bytes32',
        'uint64',
        'bytes',
        'bytes32',
        'bytes32',
      ],
      [
        proposer,
        l1Origin,
        startRoot,
        startBlock,
        endRoot,
        endBlock,
        concatHex(roots),
        transition.config ?? configHash,
        imageHash,
      ],
    ),
  )
}

/** 65 bytes with v 27 or 28, which is what the chain wants. */
export function signJournal(transition: Transition, privateKey = enclave.privateKey): Promise<Hex> {
  return sign({ hash: journalHash(transition), privateKey, to: 'hex' })
}

/** What creates a game: TEE type, L1 origin, signature. */
export function teeInitData(l1Origin: Hex, l1Number: bigint, signature: Hex): Hex {
  return concatHex(['0x00', l1Origin, numberToHex(l1Number, { size: 32 }), signature])
}
