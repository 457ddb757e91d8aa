import { concat, createPublicClient, numberToHex } from 'viem'
import type { Clock } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { poll } from '../poll.ts'
import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import type { ProvableRange } from './driver.ts'
import { driverTransport } from './driver-transport.ts'

const VERSION_ZERO: Hex = `0x${'00'.repeat(32)}`
const PATIENCE = 60_000

interface BlockFields {
  number: Hex
  hash: Hex
  stateRoot: Hex
  withdrawalsRoot: Hex
}

/** No range became provable: the batcher or the L1 stands still. */
export class NoProvableRange extends RollbedError {
  constructor(blocks: number) {
    super('NO_PROVABLE_RANGE', `No ${blocks} L2 blocks became safe in time.`, {
      hint: 'A range can be proven once its batches are on L1: is the batcher running?',
    })
  }
}

/**
 * The newest `blocks` safe L2 blocks as a proof request needs them, from public reads of L1 and L2.
 *
 * @throws NoProvableRange when `safe` does not get that far in time
 */
export async function findProvableRange(options: {
  rpc: string
  l1: string
  blocks: number
  /** To send with every request. */
  headers?: Readonly<Record<string, string>> | undefined
  clock: Clock
  signal: AbortSignal
}): Promise<ProvableRange> {
  const l2 = createPublicClient({ transport: driverTransport(options.rpc, options.headers) })
  const l1 = createPublicClient({ transport: driverTransport(options.l1, options.headers) })
  const blockAt = async (selector: Hex | 'safe') =>
    (await l2.request({
      method: 'eth_getBlockByNumber',
      params: [selector, false],
    })) as unknown as BlockFields | null

  const safe = await poll({ ...options, every: 100, within: PATIENCE }, async () => {
    const number = Number((await blockAt('safe'))?.number ?? 0)
    return number >= options.blocks ? number : undefined
  })
  if (safe === undefined) throw new NoProvableRange(options.blocks)
  return readProvableRange({
    l2: (method, params) => l2.request({ method, params } as never),
    l1: (method, params) => l1.request({ method, params } as never),
    start: safe - options.blocks,
    blocks: options.blocks,
  })
}

type Ask = (method: string, params: unknown[]) => Promise<unknown>

/**
 * The blocks after `start` as a proof request needs them, bounded by the newest L1 block.
 *
 * @throws NoProvableRange when L2 does not have them
 */
export async function readProvableRange(options: {
  l2: Ask
  l1: Ask
  /** Number of the block before the range. */
  start: number
  blocks: number
}): Promise<ProvableRange> {
  const { l2, l1, start, blocks } = options
  const head = (await l1('eth_getBlockByNumber', ['latest', false])) as BlockFields
  const range = await Promise.all(
    Array.from({ length: blocks + 1 }, async (_, index) => {
      const selector = numberToHex(start + index)
      return (await l2('eth_getBlockByNumber', [selector, false])) as BlockFields | null
    }),
  )
  const roots = range.map((block) => {
    if (!block) throw new NoProvableRange(blocks)
    return outputRoot(block)
  })
  return {
    chainId: Number(await l2('eth_chainId', [])),
    l1Head: head.hash,
    l1HeadNumber: Number(head.number),
    agreedHash: range[0]!.hash,
    agreedNumber: start,
    agreedRoot: roots[0]!,
    roots: roots.slice(1),
  }
}

/** Output root v0: the header carries the message-passer root since Isthmus (OP spec, proposals). */
export function outputRoot(block: Omit<BlockFields, 'number'>): Hex {
  return keccak256(concat([VERSION_ZERO, block.stateRoot, block.withdrawalsRoot, block.hash]))
}
