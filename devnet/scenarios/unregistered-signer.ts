import { proverClient } from '#devnet/actors/prover-client'
import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { addressOf } from '#protocol/journal/signer'
import type { Address } from '#protocol/types/bytes'
import type { Scenario } from './scenario.ts'
import { owner, type ScenarioContext } from './scenario-context.ts'

export const unregisteredSigner: Scenario = {
  name: 'unregistered-signer',
  summary: "the registry no longer knows any signer of the prover host's enclaves",
  async play(context) {
    const signers = await signersOf(context)
    for (const signer of signers) {
      await context.wallet(owner).send({
        address: context.contracts.teeProverRegistry,
        abi: teeProverRegistryAbi,
        functionName: 'deregisterSigner',
        args: [signer],
      })
    }
    return {
      signers,
      registry: context.contracts.teeProverRegistry,
      now: {
        proposer: 'Submit nothing: the host answers -32001 until a signer is valid again.',
        registrar: 'Ask the host for attestations and register every signer again.',
      },
    }
  },
}

/** Of the host's enclaves, in its order. */
export async function signersOf({ proverUrl }: ScenarioContext): Promise<Address[]> {
  const keys = await proverClient(rpcClientOf(proverUrl)).signerPublicKeys()
  return keys.map(addressOf)
}
