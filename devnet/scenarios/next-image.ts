import { keccak256, stringToHex } from 'viem'
import type { DevKey } from '#fixtures/chain/dev-keys'
import type { Hash } from '#protocol/types/bytes'

/** The image that follows the one in force, and a signer of it that no enclave has. */
export const nextImage: { imageHash: Hash; signer: DevKey } = {
  imageHash: keccak256(stringToHex('rollbed scenario: next image')),
  /** keccak256('rollbed dev key: enclave of the next image'). */
  signer: {
    address: '0x0277226c5bf80f3da18fb17bee6922676c565f20',
    privateKey: '0xbe2d598c9a9696c2c33732e64b93ea4ff0c8f5808191679ce016af7438db5d73',
  },
}
