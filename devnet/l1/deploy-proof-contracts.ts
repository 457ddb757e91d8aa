import { gameType, initBond, l2ChainId } from '#fixtures/chain/constants'
import { type DevKey, roleKeys } from '#fixtures/chain/dev-keys'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { cobaltProverRegistryAbi } from '#fixtures/contracts/CobaltProverRegistry.abi'
import { delayedWETHAbi } from '#fixtures/contracts/DelayedWETH.abi'
import { devAttestationVerifierAbi } from '#fixtures/contracts/DevAttestationVerifier.abi'
import { devNitroValidatorAbi } from '#fixtures/contracts/DevNitroValidator.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { mockZkVerifierAbi } from '#fixtures/contracts/MockZkVerifier.abi'
import { protocolVersionsAbi } from '#fixtures/contracts/ProtocolVersions.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import type { Address, Hash } from '#protocol/types/bytes'
import type { JournalEra } from '#protocol/types/journal-era'
import { gameCreation } from './game-creation.ts'
import { creation, invocation, type L1Call } from './l1-call.ts'
import { bridgeContracts, type L1Addresses, l1ContractAddresses } from './l1-contract-addresses.ts'
import { type L1Sender, sendTransactions } from './send-transactions.ts'

const zeroHash: Hash = `0x${'00'.repeat(32)}`

export interface DeployProofParameters extends Omit<L1Sender, 'privateKey'> {
  /** The one that deployed the bridge contracts, and nothing since. */
  deployer?: DevKey
  /** The anchor that the first game starts from. */
  l2GenesisOutputRoot: Hash
  l2GenesisNumber?: number
  /** Hash of the chain's configuration, as in the journal. */
  configHash: Hash
  /** keccak256 of the PCR0 that games accept. */
  teeImageHash: Hash
  l2ChainId?: number
  /** Who may register attested signers besides the owner. */
  manager?: Address
  /** Whose word on an attestation the dev verifier takes. */
  attester?: Address
  /** Allowed to propose; a TEE challenger is a proposer too. */
  proposers?: readonly Address[]
  /** L2 blocks from one game to the next, and between intermediate roots. */
  blockInterval?: number
  intermediateBlockInterval?: number
  /** Of a chain with upgrades: its games and its registry are those that Base has since Cobalt. */
  schedule?: L2Schedule
  /** Seconds from a game's resolution to its finality. */
  finalityDelay?: number
  /** Seconds from a bond's unlocking to its payment. */
  withdrawalDelay?: number
}

/** What games have to know of the upgrades of L2. */
export interface L2Schedule {
  /** Seconds on L2 by place, 0 where none is set: what ProtocolVersions begins with. */
  times: readonly bigint[]
  era: JournalEra
  genesisNumber: number
  /** Seconds. */
  genesisTime: number
  /** Seconds between blocks until Denim. */
  blockTime: number
}

/** Games of blocks of 200 ms have so many more of them, for about the same time. */
export const FAST_FACTOR = 10n

/**
 * Phase 2: factory, anchor, registry, verifiers and the game implementation, wired, in one L1 block.
 * Their addresses are those of `l1ContractAddresses`.
 * @throws L1_TRANSACTION_FAILED
 */
export async function deployProofContracts(parameters: DeployProofParameters): Promise<void> {
  const { deployer = roleKeys.deployer } = parameters
  const { schedule } = parameters
  const to = l1ContractAddresses(deployer.address, schedule !== undefined)
  const attester = parameters.attester ?? roleKeys.registrar.address
  await sendTransactions(
    { ...parameters, privateKey: deployer.privateKey },
    bridgeContracts.length,
    [
      creation('DisputeGameFactory', disputeGameFactoryAbi, [deployer.address]),
      creation('AnchorStateRegistry', anchorStateRegistryAbi, [
        to.systemConfig,
        to.disputeGameFactory,
        {
          root: parameters.l2GenesisOutputRoot,
          l2SequenceNumber: BigInt(parameters.l2GenesisNumber ?? 0),
        },
        gameType,
        BigInt(parameters.finalityDelay ?? 60),
      ]),
      creation('DelayedWETH', delayedWETHAbi, [
        to.systemConfig,
        BigInt(parameters.withdrawalDelay ?? 60),
      ]),
      schedule
        ? creation('CobaltProverRegistry', cobaltProverRegistryAbi, [
            to.attestationVerifier,
            to.disputeGameFactory,
          ])
        : creation('TEEProverRegistry', teeProverRegistryAbi, [
            to.attestationVerifier,
            to.disputeGameFactory,
          ]),
      creation('TEEVerifier', teeVerifierAbi, [to.teeProverRegistry, to.anchorStateRegistry]),
      creation('MockZkVerifier', mockZkVerifierAbi, [to.anchorStateRegistry]),
      gameOf(parameters, to),
      schedule
        ? creation('DevNitroValidator', devNitroValidatorAbi, [attester])
        : creation('DevAttestationVerifier', devAttestationVerifierAbi, [attester]),
      ...(schedule ? [creation('ProtocolVersions', protocolVersionsAbi, [deployer.address])] : []),
      invocation(to.disputeGameFactory, disputeGameFactoryAbi, 'setImplementation', [
        gameType,
        to.aggregateVerifier,
      ]),
      invocation(to.disputeGameFactory, disputeGameFactoryAbi, 'setInitBond', [gameType, initBond]),
      invocation(to.teeProverRegistry, teeProverRegistryAbi, 'initialize', [
        deployer.address,
        parameters.manager ?? roleKeys.registrar.address,
        parameters.proposers ?? [roleKeys.proposer.address, roleKeys.challenger.address],
        gameType,
      ]),
      ...(schedule
        ? [
            invocation(to.protocolVersions!, protocolVersionsAbi, 'initialize', [
              deployer.address,
              schedule.times,
            ]),
          ]
        : []),
    ],
  )
}

/** The contract that games are made of. */
function gameOf(parameters: DeployProofParameters, to: L1Addresses): L1Call {
  const { schedule } = parameters
  const all = BigInt(parameters.blockInterval ?? 10)
  const each = BigInt(parameters.intermediateBlockInterval ?? 5)
  return gameCreation({
    ...{ anchorStateRegistry: to.anchorStateRegistry, delayedWeth: to.delayedWETH },
    ...{ teeVerifier: to.teeVerifier, zkVerifier: to.zkVerifier },
    teeImageHash: parameters.teeImageHash,
    // The mock verifier looks at neither.
    zkHashes: { rangeHash: zeroHash, aggregateHash: zeroHash },
    configHash: parameters.configHash,
    l2ChainId: BigInt(parameters.l2ChainId ?? l2ChainId),
    intervals: { all, each },
    ...(schedule && {
      schedule: {
        era: schedule.era,
        fast: { all: all * FAST_FACTOR, each: each * FAST_FACTOR },
        config: {
          protocolVersions: to.protocolVersions!,
          genesisBlockNumber: BigInt(schedule.genesisNumber),
          genesisTimestamp: BigInt(schedule.genesisTime),
          blockTime: BigInt(schedule.blockTime),
        },
      },
    }),
  })
}
