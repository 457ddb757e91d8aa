import { l2ChainId } from '#fixtures/chain/constants'
import { type DevKey, roleKeys } from '#fixtures/chain/dev-keys'
import { l1CrossDomainMessengerAbi } from '#fixtures/contracts/L1CrossDomainMessenger.abi'
import { l1ERC721BridgeAbi } from '#fixtures/contracts/L1ERC721Bridge.abi'
import { l1StandardBridgeAbi } from '#fixtures/contracts/L1StandardBridge.abi'
import { optimismPortalAbi } from '#fixtures/contracts/OptimismPortal.abi'
import { systemConfigAbi } from '#fixtures/contracts/SystemConfig.abi'
import type { SystemConfig } from '#protocol/derivation/rollup-config'
import type { Address } from '#protocol/types/bytes'
import { creation } from './l1-call.ts'
import { type L1Addresses, l1ContractAddresses } from './l1-contract-addresses.ts'
import { type L1Sender, sendTransactions } from './send-transactions.ts'

export interface DeployBridgeParameters<Mined> extends Omit<L1Sender<Mined>, 'privateKey'> {
  /** Owns the contracts; has sent nothing before. */
  deployer?: DevKey
  /** What the L2 chain starts with. */
  systemConfig: SystemConfig
  unsafeBlockSigner?: Address
  l2ChainId?: number
  /** Seconds between the proof of a withdrawal and its finalisation. @default 60 */
  proofMaturityDelay?: number
}

/**
 * Phase 1: portal, system configuration, messenger and bridges, in one L1 block.
 * @returns the addresses of both phases, which are known beforehand, and what `mine` gave
 * @throws L1_TRANSACTION_FAILED
 */
export async function deployBridgeContracts<Mined>(
  parameters: DeployBridgeParameters<Mined>,
): Promise<{ contracts: L1Addresses; mined: Mined }> {
  const { deployer = roleKeys.deployer, systemConfig: config } = parameters
  const addresses = l1ContractAddresses(deployer.address)
  const scalar = BigInt(config.scalar)
  const mined = await sendTransactions({ ...parameters, privateKey: deployer.privateKey }, 0, [
    creation('OptimismPortal', optimismPortalAbi, [
      addresses.systemConfig,
      addresses.anchorStateRegistry,
      BigInt(parameters.proofMaturityDelay ?? 60),
    ]),
    creation('SystemConfig', systemConfigAbi, [
      deployer.address,
      addresses.optimismPortal,
      addresses.disputeGameFactory,
      addresses.batchInbox,
      BigInt(parameters.l2ChainId ?? l2ChainId),
      {
        batcher: config.batcherAddress,
        basefeeScalar: Number(BigInt.asUintN(32, scalar)),
        blobbasefeeScalar: Number(BigInt.asUintN(32, scalar >> 32n)),
        gasLimit: config.gasLimit,
        eip1559Denominator: config.eip1559Denominator,
        eip1559Elasticity: config.eip1559Elasticity,
        operatorFeeScalar: config.operatorFeeScalar,
        operatorFeeConstant: config.operatorFeeConstant,
        minBaseFee: config.minBaseFee,
        daFootprintGasScalar: config.daFootprintGasScalar,
        unsafeBlockSigner: parameters.unsafeBlockSigner ?? roleKeys.sequencer.address,
      },
    ]),
    creation('L1CrossDomainMessenger', l1CrossDomainMessengerAbi, [addresses.optimismPortal]),
    creation('L1StandardBridge', l1StandardBridgeAbi, [addresses.l1CrossDomainMessenger]),
    creation('L1ERC721Bridge', l1ERC721BridgeAbi, [
      addresses.l1CrossDomainMessenger,
      addresses.systemConfig,
    ]),
  ])
  return { contracts: addresses, mined }
}
