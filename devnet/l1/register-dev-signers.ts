import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { type DevKey, roleKeys } from '#fixtures/chain/dev-keys'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import type { Address, Hash } from '#protocol/types/bytes'
import { invocation, type L1Call } from './l1-call.ts'
import { l1ContractAddresses } from './l1-contract-addresses.ts'
import { type L1Sender, sendTransactions } from './send-transactions.ts'

export interface RegistryOwner extends Omit<L1Sender, 'privateKey'> {
  /** Owns the registry. */
  deployer?: DevKey
}

/**
 * Registers an enclave's signer without an attestation, which only the owner of a devnet may.
 * @param imageHash keccak256 of the enclave's PCR0
 * @throws L1_TRANSACTION_FAILED
 */
export function registerDevSigner(
  owner: RegistryOwner,
  signer: Address,
  imageHash: Hash,
): Promise<void> {
  const registry = registryOf(owner)
  return send(
    owner,
    invocation(registry, teeProverRegistryAbi, 'addDevSigner', [signer, imageHash]),
  )
}

function registryOf({ deployer = roleKeys.deployer }: RegistryOwner): Address {
  return l1ContractAddresses(deployer.address).teeProverRegistry
}

async function send(owner: RegistryOwner, call: L1Call): Promise<void> {
  const { deployer = roleKeys.deployer, rpcUrl } = owner
  const nonce = await rpcClientOf(rpcUrl).request('eth_getTransactionCount', [
    deployer.address,
    'pending',
  ])
  await sendTransactions({ ...owner, privateKey: deployer.privateKey }, Number(nonce), [call])
}
