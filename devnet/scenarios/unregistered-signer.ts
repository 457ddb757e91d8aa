import { proverClient } from '#devnet/actors/prover-client'
import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { addressOf } from '#protocol/journal/signer'
import type { Address } from '#protocol/types/bytes'
import type { Scenario } from './scenario.ts'
import { owner, type Stage } from './stage.ts'

export const unregisteredSigner: Scenario = {
  name: 'unregistered-signer',
  summary: "the registry no longer knows any signer of the prover host's enclaves",
  async play(stage) {
    const signers = await signersOf(stage)
    for (const signer of signers) {
      await stage.wallet(owner).send({
        address: stage.contracts.teeProverRegistry,
        abi: teeProverRegistryAbi,
        functionName: 'deregisterSigner',
        args: [signer],
      })
    }
    return {
      signers,
      registry: stage.contracts.teeProverRegistry,
      now: {
        proposer: 'Submit nothing: the host answers -32001 until a signer is valid again.',
        registrar: 'Ask the host for attestations and register every signer again.',
      },
    }
  },
}

/** Of the host's enclaves, in its order. */
export async function signersOf({ proverUrl }: Stage): Promise<Address[]> {
  const keys = await proverClient(rpcClientOf(proverUrl)).signerPublicKeys()
  return keys.map(addressOf)
}
