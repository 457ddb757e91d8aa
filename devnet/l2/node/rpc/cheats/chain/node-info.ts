import { divergenceWords } from '#devnet/l2/node/chain/divergence-words'
import { nextBaseFee } from '#protocol/execution/next-base-fee'
import { toQuantity } from '../../json/hex.ts'
import { SUGGESTED_TIP } from '../../methods/eth/eth-max-priority-fee-per-gas.ts'
import { web3ClientVersion } from '../../methods/web3/web3-client-version.ts'
import { firstBlock } from '../../selector/find-block.ts'
import type { CheatMethod } from '../cheat-rpc.ts'

/** `anvil_nodeInfo []`, with anvil's fields. */
export const nodeInfo: CheatMethod = ({ chain, config, fork }) => {
  const { hash, header } = chain.latest()
  const baseFee = nextBaseFee(header, config.fork)
  return {
    currentBlockNumber: toQuantity(header.number),
    currentBlockTimestamp: Number(header.timestamp),
    currentBlockHash: hash,
    hardFork: config.fork === 'jovian' ? 'Jovian' : 'Isthmus',
    transactionOrder: 'fees',
    environment: {
      baseFee: toQuantity(header.baseFeePerGas),
      chainId: Number(chain.chainId),
      gasLimit: toQuantity(header.gasLimit),
      gasPrice: toQuantity(baseFee + SUGGESTED_TIP),
    },
    forkConfig: {
      forkUrl: fork?.origin() ?? null,
      forkBlockNumber: fork ? Number(fork.block.number) : null,
      forkRetryBackoff: null,
    },
  }
}

/**
 * `anvil_metadata []`, with anvil's fields; `divergence` says since which block, and why, the chain is
 * not what L1 says it must be, in a sentence (`what`), and what to do (`wayOut`); `dead` and `warnings` which parts of the devnet are not well.
 */
export const metadata: CheatMethod = (rpc, params, context) => {
  const { chain, cheats } = rpc
  const { hash, header } = chain.latest()
  const divergence = cheats.chain.divergence()
  const snapshots = [...cheats.snapshots()].map(([id, { block }]) => [
    toQuantity(id),
    [Number(block.header.number), block.hash],
  ])
  return {
    clientVersion: web3ClientVersion(rpc, params, context),
    chainId: Number(chain.chainId),
    instanceId: firstBlock(rpc)?.hash ?? null,
    latestBlockNumber: Number(header.number),
    latestBlockHash: hash,
    forkedNetwork: rpc.fork
      ? {
          chainId: rpc.fork.chainId,
          forkBlockNumber: Number(rpc.fork.block.number),
          forkBlockHash: rpc.fork.block.hash,
        }
      : null,
    snapshots: Object.fromEntries(snapshots),
    divergence: divergence
      ? {
          since: toQuantity(divergence.since),
          cause: divergence.cause,
          ...divergenceWords(divergence),
        }
      : null,
    ...(rpc.health?.() ?? { dead: [], warnings: [] }),
  }
}
