import type { RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { Slices } from '#devnet/base/process/slices'
import { L1_ATTRIBUTES_DEPOSITOR } from '#protocol/derivation/l1-attributes'
import type { Block } from '#protocol/types/block'
import type { Address } from '#protocol/types/bytes'
import { transactionJson } from '../../json/transaction-json.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { callFrames, walkFrames } from '../../traces/call-frames.ts'
import type { CallFrame } from '../../traces/call-tracer.ts'
import { withTimeLimit } from '../../traces/with-time-limit.ts'
import { otsReceipt } from './ots-receipt.ts'
import { parsePageSize, parsePlainNumber } from './parse-plain-number.ts'

const TIME_LIMIT = 20_000

/** A transaction of a sealed block. */
interface Place {
  block: Block
  index: number
}

/**
 * `ots_searchTransactionsBefore [address, block, pageSize]`: the newest transactions before a block (0:
 * before the next one) that an address sent, received, or was called, created or paid in, newest
 * first, with their receipts. A page may be longer than asked for, because a block is told whole. What
 * stands in each block and nobody sent, the L1 attributes, is left out.
 * @throws JsonRpcError -32602; -32000 timeout; 4444 when a state is gone that must be executed on
 */
export const otsSearchTransactionsBefore: NodeMethod = async (rpc, params, { signal }) => {
  const { address, start, pageSize } = searchParams(params)
  const newest = rpc.chain.latest().header.number
  const from = start === 0n || start > newest ? newest : start - 1n
  const numbers = function* () {
    for (let number = from; number > 0n; number--) yield number
  }
  const search = { address, pageSize, numbers: numbers() }
  const { blocks, isWhole } = await findBlocks(rpc, search, signal)
  return pageOf(rpc, blocks, { firstPage: from >= newest, lastPage: isWhole })
}

/**
 * `ots_searchTransactionsAfter [address, block, pageSize]`: the same of the oldest transactions after a
 * block (0: after genesis), newest first as well.
 * @throws JsonRpcError -32602; -32000 timeout; 4444 when a state is gone that must be executed on
 */
export const otsSearchTransactionsAfter: NodeMethod = async (rpc, params, { signal }) => {
  const { address, start, pageSize } = searchParams(params)
  const newest = rpc.chain.latest().header.number
  const numbers = function* () {
    for (let number = start + 1n; number <= newest; number++) yield number
  }
  const search = { address, pageSize, numbers: numbers() }
  const { blocks, isWhole } = await findBlocks(rpc, search, signal)
  return pageOf(rpc, blocks.reverse(), { firstPage: isWhole, lastPage: start === 0n })
}

interface Search {
  address: Address
  pageSize: number
  numbers: Iterable<bigint>
}

function searchParams(params: RpcParams) {
  const [address, block, pageSize] = positional(params)
  return {
    address: parseAddress(address, 'address'),
    start: parsePlainNumber(block, 'block'),
    pageSize: parsePageSize(pageSize, 'pageSize'),
  }
}

/** The transactions of each block that has some, newest first, until the page is full. */
async function findBlocks(
  rpc: NodeRpc,
  { address, pageSize, numbers }: Search,
  signal: AbortSignal,
): Promise<{ blocks: Place[][]; isWhole: boolean }> {
  return withTimeLimit(rpc, TIME_LIMIT, signal, async (limited) => {
    const blocks: Place[][] = []
    let count = 0
    const slices = new Slices(rpc.machine)
    for (const number of numbers) {
      if (slices.isOver) {
        await slices.next()
        limited.throwIfAborted()
      }
      const found = await placesIn(rpc, rpc.chain.blockByNumber(number), address, limited)
      if (found.length === 0) continue
      // Only now it is known that there is more.
      if (count >= pageSize) return { blocks, isWhole: false }
      blocks.push(found)
      count += found.length
    }
    return { blocks, isWhole: true }
  })
}

async function placesIn(
  rpc: NodeRpc,
  block: Block | undefined,
  address: Address,
  signal: AbortSignal,
): Promise<Place[]> {
  if (!block) return []
  const isSearched = block.transactions.map(({ from }) => from !== L1_ATTRIBUTES_DEPOSITOR)
  if (!isSearched.includes(true)) return []
  const frames = await callFrames(rpc, block, signal)
  return frames
    .flatMap((frame, index) =>
      isSearched[index] && mentions(frame, address) ? [{ block, index }] : [],
    )
    .reverse()
}

function mentions(root: CallFrame, address: Address): boolean {
  for (const [{ from, to }] of walkFrames(root)) if (from === address || to === address) return true
  return false
}

function pageOf(rpc: NodeRpc, blocks: Place[][], ends: { firstPage: boolean; lastPage: boolean }) {
  const places = blocks.flat()
  return {
    txs: places.map(({ block, index }) => transactionJson(block, index, rpc.profile)),
    receipts: places.map(({ block, index }) => otsReceipt(block, index)),
    ...ends,
  }
}
