import * as AbiFunction from 'ox/AbiFunction'
import type { Address, Hash, Hex } from '../../enclave-sim/execution/types.ts'
import { type DevKey, roleKeys } from '../../fixtures/chain/dev-keys.ts'
import { teeProverRegistryAbi } from '../../fixtures/contracts/TEEProverRegistry.abi.ts'
import { httpRpcClient } from '../prover/http-rpc-client.ts'
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
  const addDevSigner = AbiFunction.fromAbi(teeProverRegistryAbi, 'addDevSigner')
  return call(owner, 'addDevSigner', AbiFunction.encodeData(addDevSigner, [signer, imageHash]))
}

/**
 * Puts an address on, or takes it off, the list of allowed proposers.
 * @throws L1_TRANSACTION_FAILED
 */
export function setProposer(
  owner: RegistryOwner,
  proposer: Address,
  isValid = true,
): Promise<void> {
  const setProposer = AbiFunction.fromAbi(teeProverRegistryAbi, 'setProposer')
  return call(owner, 'setProposer', AbiFunction.encodeData(setProposer, [proposer, isValid]))
}

async function call(owner: RegistryOwner, name: string, data: Hex): Promise<void> {
  const { deployer = roleKeys.deployer, rpcUrl } = owner
  const to = l1ContractAddresses(deployer.address).teeProverRegistry
  const nonce = await httpRpcClient(rpcUrl).request('eth_getTransactionCount', [
    deployer.address,
    'pending',
  ])
  await sendTransactions({ ...owner, privateKey: deployer.privateKey }, Number(nonce), [
    { name: `TEEProverRegistry.${name}`, to, data },
  ])
}
