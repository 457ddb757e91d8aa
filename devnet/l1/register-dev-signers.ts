import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { type DevKey, roleKeys } from '#fixtures/chain/dev-keys'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import type { Address, Hash } from '#protocol/types/bytes'
import { invocation } from './l1-call.ts'
import { l1ContractAddresses } from './l1-contract-addresses.ts'
import { type L1Sender, sendTransactions } from './send-transactions.ts'

export interface RegistryOwner extends Omit<L1Sender, 'privateKey'> {
  /** Owns the registry. */
  deployer?: DevKey
}

export interface DevSigner {
  signer: Address
  /** keccak256 of the enclave's PCR0. */
  imageHash: Hash
}

/**
 * Registers enclaves' signers without an attestation, which only the owner of a devnet may; all in one
 * L1 block.
 * @throws L1_TRANSACTION_FAILED
 */
export async function registerDevSigners(
  owner: RegistryOwner,
  signers: readonly DevSigner[],
): Promise<void> {
  const { deployer = roleKeys.deployer, rpcUrl } = owner
  const { teeProverRegistry } = l1ContractAddresses(deployer.address)
  const nonce = await rpcClientOf(rpcUrl).request('eth_getTransactionCount', [
    deployer.address,
    'pending',
  ])
  await sendTransactions(
    { ...owner, privateKey: deployer.privateKey },
    Number(nonce),
    signers.map(({ signer, imageHash }) =>
      invocation(teeProverRegistry, teeProverRegistryAbi, 'addDevSigner', [signer, imageHash]),
    ),
  )
}
