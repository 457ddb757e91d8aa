import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { decodeExtraData } from '#protocol/execution/extra-data'
import { headerAttributes } from '#protocol/execution/header-attributes'
import type { Header } from '#protocol/types/block'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { Transaction } from '#protocol/types/transaction'
import { requireBlockByHash } from '../selector/find-block.ts'
import type { ShownChain } from '../shown-chain.ts'
import type { Replay } from './replay.ts'

export interface ReplayableBlock {
  header: Header
  transactions: readonly Transaction[]
}

/**
 * What it takes to execute a block again.
 * @throws JsonRpcError -32000 for genesis; -32001 when the parent is unknown; -32602 for a header
 * that is none of this chain's
 */
export function findReplay(rpc: ShownChain, block: ReplayableBlock): Replay {
  const { number, parentHash } = block.header
  if (number === 0n) throw new JsonRpcError(-32000, 'genesis is not traceable')
  return replayOf(block, requireBlockByHash(rpc, parentHash).header, rpc.config)
}

/**
 * The same where the parent is at hand.
 * @throws JsonRpcError -32602 for a header that is none of this chain's
 */
export function replayOf(
  { header, transactions }: ReplayableBlock,
  parent: Header,
  config: ExecutionConfig,
): Replay {
  return {
    parent,
    parentHash: header.parentHash,
    baseFeePerGas: header.baseFeePerGas,
    attributes: {
      ...headerAttributes(header),
      ...feeParameters(config, header),
    },
    transactions,
  }
}

function feeParameters({ fork }: ExecutionConfig, { extraData }: Header) {
  try {
    const { minBaseFee, ...eip1559 } = decodeExtraData(extraData, fork)
    return { minBaseFee, eip1559 }
  } catch (error) {
    throw invalidParams(`extraData: ${(error as Error).message}`)
  }
}
