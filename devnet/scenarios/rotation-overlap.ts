import { register } from './forge-game.ts'
import { proposeHonestly } from './honest-game.ts'
import { switchImplementation } from './new-implementation.ts'
import { nextImage } from './next-image.ts'
import type { Scenario } from './scenario.ts'
import { signersOf } from './unregistered-signer.ts'

export const rotationOverlap: Scenario = {
  name: 'rotation-overlap',
  summary: 'the next enclave image is in force while a game of the old one is still open',
  async play(context) {
    const old = await context.rules()
    const signers = await signersOf(context)
    const game = await proposeHonestly(context)
    const { imageHash, signer } = nextImage
    await register(context, signer.address, imageHash)
    const implementation = await switchImplementation(context, { teeImageHash: imageHash })
    return {
      game,
      old: { implementation: old.implementation, imageHash: old.teeImageHash, signers },
      next: { implementation, ...nextImage },
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
