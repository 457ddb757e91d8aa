import { expect, test } from 'vitest'
import type { Clock } from '#protocol/clock/clock'
import type { Hex } from '#protocol/types/bytes'
import { LOGGER } from '../testing/contracts.ts'
import { createTestNode, word } from '../testing/test-node.ts'

const LENGTH = 40
/** A piece takes 5 ms, and a block 2; the ends of the range are looked up, too. */
const FEW = 6
const topics = (...values: number[]): Hex =>
  `0x${values.map((value) => word(value).slice(2)).join('')}`

/** A chain of which each block takes 2 ms to read, and others that want a turn. */
async function slowChain() {
  let now = 0
  const machine: Clock = { now: () => now, after: () => ({ cancel() {} }) }
  const node = await createTestNode({ machine })
  const { chain } = node
  for (let number = 1; number <= LENGTH; number++) {
    await chain.mine(await node.sign({ to: LOGGER, data: topics(number, 1, 0) }))
  }
  const seen = { all: 0, atOnce: 0, most: 0, onTurn: () => {} }
  const blockByNumber = chain.blockByNumber.bind(chain)
  chain.blockByNumber = (number) => {
    now += 2
    seen.all += 1
    seen.most = Math.max(seen.most, ++seen.atOnce)
    return blockByNumber(number)
  }
  /** Gives others a turn whenever there is one, until the work is done. */
  async function during<T>(...work: Promise<T>[]): Promise<T[]> {
    let isOver = false
    const turn = () => {
      seen.atOnce = 0
      seen.onTurn()
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    return await Promise.all(work).finally(() => {
      isOver = true
    })
  }
  return { ...node, seen, during }
}

const all = { fromBlock: '0x1', toBlock: 'latest' }
const CALLS: [string, unknown[]][] = [
  ['eth_getLogs', [all]],
  ['eth_feeHistory', ['0x400', 'latest', [50]]],
  ['rollbed_attributionStats', [all]],
]

test.each(CALLS)(
  'given blocks that take long to read, when %s reads them for several callers, then others have their turn after a few',
  async (method, params) => {
    const { rpc, seen, during } = await slowChain()
    await during(...Array.from({ length: 8 }, () => rpc(method, ...params)))
    expect(seen.all).toBeGreaterThanOrEqual(8 * (LENGTH - 1))
    // Eight begin at once; after that one piece is done at a time.
    expect(seen.most).toBeLessThanOrEqual(8 * FEW)
    seen.most = 0
    await during(rpc(method, ...params))
    expect(seen.most).toBeLessThanOrEqual(FEW)
  },
)

test.each(CALLS)(
  'given blocks that are removed while %s reads, then its answer is that of the chain as it is then',
  async (method, params) => {
    const { rpc, chain, seen, during } = await slowChain()
    const removing = Promise.withResolvers<void>()
    seen.onTurn = () => {
      seen.onTurn = () => {}
      chain.reorg(5).then(removing.resolve, removing.reject)
    }
    const [answer] = await during<unknown>(rpc(method, ...params), removing.promise)
    expect(answer).toEqual(await rpc(method, ...params))
  },
)

test('given a caller who is gone, then the reading ends at the next pause', async () => {
  const { methods, seen, during } = await slowChain()
  const caller = new AbortController()
  const reason = new Error('gone')
  seen.onTurn = () => caller.abort(reason)
  const reading = methods.eth_feeHistory!(['0x400', 'latest'], { signal: caller.signal })
  await expect(during(reading as Promise<unknown>)).rejects.toBe(reason)
  expect(seen.most).toBeLessThanOrEqual(FEW)
})
