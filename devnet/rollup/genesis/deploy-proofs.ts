import { deployProofContracts } from '#devnet/l1/deploy-proof-contracts'
import type { L1Sender } from '#devnet/l1/send-transactions'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { configHash } from '#protocol/derivation/config-hash'
import { outputRoot } from '#protocol/execution/output-root'
import type { Hash } from '#protocol/types/bytes'
import { scheduleTimes } from '#protocol/upgrades/schedule-times'
import type { RollupGenesis } from './rollup-genesis.ts'

/**
 * The contracts that take proofs of this chain, for games that the devnet's actors and users may open.
 * @param teeImageHash keccak256 of the PCR0 that they accept
 * @param gameInterval L2 blocks of a game, an even number: it claims a root in the middle, too. Default 10
 * @throws L1_TRANSACTION_FAILED
 */
export async function deployProofs(
  l1: Pick<L1Sender, 'rpcUrl' | 'mine'>,
  { config, block }: Pick<RollupGenesis, 'config' | 'block'>,
  teeImageHash: Hash,
  gameInterval?: number,
): Promise<void> {
  await deployProofContracts({
    ...l1,
    chainId: config.l1ChainId,
    l2GenesisOutputRoot: outputRoot({ ...block.header, hash: block.hash }),
    configHash: configHash(config),
    l2ChainId: config.l2ChainId,
    teeImageHash,
    ...(gameInterval !== undefined && {
      ...{ blockInterval: gameInterval, intermediateBlockInterval: gameInterval / 2 },
    }),
    ...(config.journal && {
      schedule: {
        ...{ times: scheduleTimes(config), era: config.journal, blockTime: config.blockTime },
        ...{ genesisNumber: config.genesis.l2.number, genesisTime: config.genesis.l2Time },
      },
    }),
    proposers: [
      roleKeys.proposer.address,
      roleKeys.challenger.address,
      ...userKeys.map(({ address }) => address),
    ],
  })
}
