import type { RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import type { ChainView } from '#devnet/l2/node/chain-view'
import type { LoggedRequest } from '#devnet/l2/node/rpc/watching/request-log'
import { timestampMs } from '#protocol/derivation/base-time'
import type { Hash } from '#protocol/types/bytes'

/** Which blocks a program asked for, and when each came. */
export interface AskedBlocks {
  /** Number of the first block whose time is known. */
  first: number
  /** Milliseconds since 1970, of each block from the first on. */
  times: number[]
  /** Of each call, in their order: the block that it asked for, or that has the transaction it asked for. */
  numbers: (number | undefined)[]
}

type Chain = Pick<ChainView, 'latest' | 'blockByNumber' | 'blockByHash' | 'findTransaction'>

const HASH = /^0x[0-9a-f]{64}$/i
const QUANTITY = /^0x[0-9a-f]{1,13}$/i

/**
 * Looks up what calls asked for, as long as the chain is there.
 * @param first number of its first block
 */
export function askedBlocks(
  chain: Chain,
  first: number,
  calls: readonly Pick<LoggedRequest, 'method' | 'params'>[],
): AskedBlocks {
  const times: number[] = []
  for (let number = BigInt(first); number <= chain.latest().header.number; number++) {
    const block = chain.blockByNumber(number)
    times.push(block ? Number(timestampMs(block)) : Number.POSITIVE_INFINITY)
  }
  const numbers = calls.map(({ method, params }) => askedNumber(chain, method, params))
  return { first, times, numbers }
}

/** The newest block at a time; one below the first where there was none. */
export function headAt({ first, times }: AskedBlocks, at: number): number {
  const after = times.findIndex((time) => time > at)
  return first + (after === -1 ? times.length : after) - 1
}

/** When a block came; undefined of one that nobody knows. */
export const timeOf = ({ first, times }: AskedBlocks, number: number): number | undefined =>
  times[number - first]

function askedNumber(chain: Chain, method: string, params: RpcParams | null): number | undefined {
  const [asked] = Array.isArray(params) ? params : []
  switch (method) {
    case 'eth_getTransactionReceipt':
    case 'eth_getTransactionByHash': {
      const found = isHash(asked) ? chain.findTransaction(asked) : undefined
      return found && Number(found.block.header.number)
    }
    case 'eth_getBlockByHash':
    case 'eth_getBlockByNumber':
    case 'eth_getBlockReceipts':
      return isHash(asked) ? numberOf(chain, asked) : quantity(asked)
    case 'eth_getLogs': {
      const { blockHash, fromBlock, toBlock } = Object(asked) as Record<string, unknown>
      if (isHash(blockHash)) return numberOf(chain, blockHash)
      return fromBlock === toBlock ? quantity(fromBlock) : undefined
    }
    default:
      return undefined
  }
}

const isHash = (value: unknown): value is Hash => typeof value === 'string' && HASH.test(value)

function quantity(value: unknown): number | undefined {
  return typeof value === 'string' && QUANTITY.test(value) ? Number(value) : undefined
}

function numberOf(chain: Chain, hash: Hash): number | undefined {
  const block = chain.blockByHash(hash)
  return block && Number(block.header.number)
}
