import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { register } from './forge-game.ts'
import { nextImage } from './next-image.ts'
import type { Scenario } from './scenario.ts'
import { owner } from './scenario-context.ts'
import { signersOf } from './unregistered-signer.ts'

/** ROT-02 to the letter: the registry of the devnet can hold further images for active. */
export const rotationBegins: Scenario = {
  name: 'rotation-begins',
  summary: 'signers of the image in force and of the next one are valid at once',
  async play(context) {
    const { teeImageHash } = await context.rules()
    const signers = await signersOf(context)
    const { imageHash, signer } = nextImage
    // First: a registrar that looks in between would find a signer of no image that counts.
    await context.wallet(owner).send({
      address: context.contracts.teeProverRegistry,
      abi: teeProverRegistryAbi,
      functionName: 'setDevImage',
      args: [imageHash, true],
    })
    await register(context, signer.address, imageHash)
    return {
      old: { imageHash: teeImageHash, signers },
      next: nextImage,
      now: {
        proposer:
          'Go on, but send no proof of the next image: a valid signer is not enough, a game takes signatures of its own TEE_IMAGE_HASH alone.',
        challenger: 'Nothing new: games are judged by their own image.',
        registrar:
          'Keep the signers of both images, that of the next one too, which no host has yet; once isValidSigner is false for it, it is like any other that no host has.',
      },
    }
  },
}
