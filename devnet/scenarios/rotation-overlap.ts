import { keccak256, stringToHex } from 'viem'
import type { DevKey } from '../../fixtures/chain/dev-keys.ts'
import { register } from './forge-game.ts'
import { proposeHonestly } from './honest-game.ts'
import { switchImplementation } from './new-implementation.ts'
import type { Scenario } from './scenario.ts'
import { signersOf } from './unregistered-signer.ts'

/** A signer of the next image: keccak256('rollbed dev key: enclave of the next image'). */
const nextSigner: DevKey = {
  address: '0x0277226c5bf80f3da18fb17bee6922676c565f20',
  privateKey: '0xbe2d598c9a9696c2c33732e64b93ea4ff0c8f5808191679ce016af7438db5d73',
}
const nextImageHash = keccak256(stringToHex('rollbed scenario: next image'))

export const rotationOverlap: Scenario = {
  name: 'rotation-overlap',
  summary: 'the next enclave image is in force while a game of the old one is still open',
  async play(stage) {
    const old = await stage.rules()
    const signers = await signersOf(stage)
    const game = await proposeHonestly(stage)
    await register(stage, nextSigner.address, nextImageHash)
    const implementation = await switchImplementation(stage, { teeImageHash: nextImageHash })
    return {
      game,
      old: { implementation: old.implementation, imageHash: old.teeImageHash, signers },
      next: { implementation, imageHash: nextImageHash, signer: nextSigner },
      now: {
        proposer:
          'Propose nothing that an enclave of the old image signed: the host answers -32001 until one of the next image is behind it.',
        challenger:
          'Read TEE_IMAGE_HASH from each game, not from the factory: the open game is judged by the old image.',
        registrar: 'Keep the signers of the old image as long as its host has them.',
      },
    }
  },
}
