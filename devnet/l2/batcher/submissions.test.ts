import { numberToHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { decodeBatcherData } from '#protocol/derivation/frame'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { ChainControl } from '../node/chain-control.ts'
import type { ChainView, Divergence } from '../node/chain-view.ts'
import type { Inbox, Landing, SignedTransaction } from './inbox.ts'
import { Submissions } from './submissions.ts'

const hash = (number: number): Hash => numberToHex(number, { size: 32 })

let latest: number
let safe: number
let finalized: number
let l1Head: bigint
/** Otherwise each look finds a new block. */
let isStill: boolean
let heads: number
let divergence: Divergence | undefined
let sent: Uint8Array[][]
let lastSent: bigint
let again: Hash[]
/** Takes the place of what is sent again. */
let outbid: Hash | undefined
let offer: (transaction: SignedTransaction) => Promise<void>
let landing: (transaction: SignedTransaction) => Landing
let submissions: Submissions
let clock: VirtualClock

/** What the test says of L1 goes for every transaction sent. */
const inbox: Inbox = {
  async sign(data) {
    sent.push([...data])
    return data.map((bytes, i) => transaction(hash(100 * sent.length + i), bytes))
  },
  offer: (transaction) => offer(transaction),
  landing: async (transaction) => landing(transaction),
  async sendAgain(sentBefore) {
    again.push(sentBefore.hash)
    return outbid ? transaction(outbid) : sentBefore
  },
  l1Head: async () => {
    if (!isStill) heads += 1
    return { number: l1Head, hash: hash(heads) }
  },
}

beforeEach(() => {
  latest = 3
  safe = 0
  finalized = 0
  l1Head = 1n
  isStill = false
  heads = 0
  divergence = undefined
  sent = []
  lastSent = 0n
  again = []
  outbid = undefined
  offer = async () => undefined
  landing = () => 'pending'
  clock = new VirtualClock(0)
  submissions = newSubmissions()
})

describe('given three blocks to post', () => {
  test('when their transaction is pending, then nothing else is sent', async () => {
    await submissions.step()
    latest = 5
    await submissions.step()
    expect(sent).toHaveLength(1)
    expect(submissions.posted).toBe(0n)
  })

  test('when it is on L1, then they count as posted and the next channel goes out', async () => {
    await submissions.step()
    latest = 5
    landing = () => ({ l1Block: hash(1), l1Number: 1n })
    await submissions.step()
    expect(submissions.posted).toBe(3n)
    expect(sent).toHaveLength(2)
    await submissions.step()
    expect(submissions.posted).toBe(5n)
    await submissions.step()
    expect(sent).toHaveLength(2)
  })

  test('when L1 has no new block, then nothing is asked of it', async () => {
    await submissions.step()
    await submissions.step()
    isStill = true
    landing = () => {
      throw new Error('asked')
    }
    await submissions.step()
    isStill = false
    await expect(submissions.step()).rejects.toThrow('asked')
  })

  test('when it stays pending for five seconds, it is offered again, and after five more once more', async () => {
    await submissions.step()
    await clock.advance(4_999)
    await submissions.step()
    expect(again).toEqual([])
    await clock.advance(1)
    await submissions.step()
    await clock.advance(4_999)
    await submissions.step()
    expect(again).toEqual([hash(100)])
    await clock.advance(1)
    await submissions.step()
    expect(again).toEqual([hash(100), hash(100)])
    expect(sent).toHaveLength(1)
  })

  test('when L2 drops the last of them each second, what waits is offered again after five seconds all the same', async () => {
    await submissions.step()
    for (let second = 1; second <= 5; second++) {
      await clock.advance(1_000)
      submissions.forget([block(3)])
      await submissions.step()
    }
    expect(again).toEqual([])
    await submissions.step()
    expect(again).toEqual([hash(600)])
  })

  test('when it was outbid, its successor is what is looked for', async () => {
    await submissions.step()
    outbid = hash(999)
    await clock.advance(5_000)
    await submissions.step()
    landing = ({ hash: of }) => (of === outbid ? { l1Block: hash(1), l1Number: 1n } : 'pending')
    await submissions.step()
    expect(submissions.posted).toBe(3n)
    expect(sent).toHaveLength(1)
  })

  test('when another transaction took its nonce, the blocks are sent anew', async () => {
    await submissions.step()
    landing = () => 'lost'
    await submissions.step()
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual(sent[0])
  })

  test('when the answer of L1 is lost, the same is offered again, not another after it', async () => {
    const offered: Hash[] = []
    let isAway = true
    offer = async ({ hash }) => {
      offered.push(hash)
      if (isAway) throw new Error('L1 is away')
    }
    await expect(submissions.step()).rejects.toThrow('L1 is away')
    expect(lastSent).toBe(3n)
    isAway = false
    await submissions.step()
    expect(offered).toEqual([hash(100), hash(100)])
    await submissions.step()
    expect(offered).toHaveLength(2)
    expect(sent).toHaveLength(1)
  })

  test('when the answer for its second frame is lost, the first is not offered again', async () => {
    submissions = newSubmissions(5)
    const offered: Hash[] = []
    offer = async ({ hash }) => {
      offered.push(hash)
      if (offered.length === 2) throw new Error('L1 is away')
    }
    await expect(submissions.step()).rejects.toThrow('L1 is away')
    await submissions.step()
    expect(offered.slice(0, 3)).toEqual([hash(100), hash(101), hash(101)])
    expect(offered).toHaveLength(sent[0]!.length + 1)
  })

  test('when L1 refuses it after its answer was lost, then it may be there all the same', async () => {
    const errors = [new Error('L1 is away'), refusal()]
    offer = async () => {
      const error = errors.shift()
      if (error) throw error
    }
    await expect(submissions.step()).rejects.toThrow('L1 is away')
    await submissions.step()
    await submissions.step()
    expect(sent).toHaveLength(1)
    landing = () => ({ l1Block: hash(1), l1Number: 1n })
    await submissions.step()
    expect(submissions.posted).toBe(3n)
  })

  test('when L1 refuses it, the blocks are sent anew', async () => {
    offer = async () => {
      throw refusal()
    }
    await expect(submissions.step()).rejects.toThrow('insufficient funds')
    offer = async () => undefined
    await submissions.step()
    expect(sent).toHaveLength(2)
  })
})

describe('given blocks on L1', () => {
  beforeEach(async () => {
    await submissions.step()
    landing = () => ({ l1Block: hash(1), l1Number: 1n })
    await submissions.step()
  })

  test.each(['pending', 'lost'] as const)(
    'when a reorg makes them %s, they are sent anew',
    async (now) => {
      landing = () => now
      await submissions.step()
      expect(submissions.posted).toBe(0n)
      expect(sent).toHaveLength(2)
    },
  )

  test('when they are finalized, L1 is no longer asked about them', async () => {
    finalized = 3
    landing = () => {
      throw new Error('asked')
    }
    await submissions.step()
    expect(submissions.posted).toBe(3n)
  })

  test('when L2 drops the last of them, their batch says nothing any more, and all are posted anew', async () => {
    submissions.forget([block(3)])
    expect(submissions.posted).toBe(0n)
    await submissions.step()
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual(sent[0])
    await submissions.step()
    expect(submissions.posted).toBe(3n)
  })

  test('when those before the dropped one are safe, what is now in its place is posted', async () => {
    safe = 2
    submissions.forget([block(3)])
    expect(submissions.posted).toBe(2n)
    await submissions.step()
    expect(sent).toHaveLength(2)
    await submissions.step()
    expect(submissions.posted).toBe(3n)
  })

  test('when L2 drops one of them and then L1 their channel, all are posted anew', async () => {
    submissions.forget([block(3)])
    landing = () => 'lost'
    await submissions.step()
    expect(submissions.posted).toBe(0n)
  })
})

describe('given blocks on L1 that do not become safe', () => {
  beforeEach(async () => {
    await submissions.step()
    landing = () => ({ l1Block: hash(1), l1Number: 5n })
    await submissions.step()
  })
  const stepAt = async (head: bigint) => {
    l1Head = head
    await submissions.step()
    return sent.length
  }

  test('when ten L1 blocks went by, they are posted again, and then after twenty more', async () => {
    expect(await stepAt(14n)).toBe(1)
    expect(await stepAt(15n)).toBe(2)
    landing = () => ({ l1Block: hash(2), l1Number: 16n })
    expect(await stepAt(16n)).toBe(2)
    expect(submissions.posted).toBe(3n)
    expect(await stepAt(35n)).toBe(2)
    expect(await stepAt(36n)).toBe(3)
  })

  test('when nothing ever helps, the pauses double: 1,000 times as long costs ten postings', async () => {
    const postings = []
    for (let head = 6n; head <= 10_000n; head++) {
      const before = sent.length
      if ((await stepAt(head)) === before) continue
      postings.push(Number(head))
      landing = () => ({ l1Block: hash(1), l1Number: head + 1n })
    }
    // Each time one block for the posting to land, and twice the pause before.
    expect(postings).toEqual([15, 36, 77, 158, 319, 640, 1281, 2562, 5123])
  })

  test('when L1 is shorter after a reorg, they get their time anew', async () => {
    expect(await stepAt(14n)).toBe(1)
    landing = () => ({ l1Block: hash(2), l1Number: 7n })
    expect(await stepAt(8n)).toBe(1)
    expect(await stepAt(16n)).toBe(1)
    expect(await stepAt(17n)).toBe(2)
  })

  test('when safe has moved to the middle of them, only the rest is posted again', async () => {
    safe = 2
    expect(await stepAt(14n)).toBe(1)
    expect(await stepAt(23n)).toBe(1)
    expect(await stepAt(24n)).toBe(2)
    expect(sent[1]![0]!.length).toBeLessThan(sent[0]![0]!.length + 20)
    landing = () => ({ l1Block: hash(2), l1Number: 25n })
    await submissions.step()
    expect(submissions.posted).toBe(3n)
  })

  test('when a cheat took the chain off L1, they are left alone', async () => {
    divergence = { since: 1n, cause: 'state' }
    expect(await stepAt(1_000n)).toBe(1)
  })

  test('when they are safe in time, nothing is posted again', async () => {
    safe = 3
    expect(await stepAt(1_000n)).toBe(1)
  })
})

test('given frames smaller than the channel, each goes in its own transaction, in order', async () => {
  submissions = newSubmissions(5)
  await submissions.step()
  const frames = sent[0]!.map((data) => decodeBatcherData(data))
  expect(frames.length).toBeGreaterThan(2)
  expect(frames.map((list) => list.map(({ number }) => number))).toEqual(frames.map((_, i) => [i]))
  expect(frames.map(([frame]) => frame!.isLast)).toEqual(
    frames.map((_, i) => i === frames.length - 1),
  )
})

const refusal = () =>
  new RpcRefused('eth_sendRawTransaction', { code: -32000, message: 'insufficient funds' })

function transaction(of: Hash, data: Uint8Array = new Uint8Array()): SignedTransaction {
  const bid = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, maxFeePerBlobGas: 0n }
  return { hash: of, nonce: 0, cargo: { data }, bid }
}

function newSubmissions(maxFrameData = 100_000): Submissions {
  const chain: Partial<ChainView & ChainControl> = {
    markSent: (number) => {
      lastSent = number
    },
    latest: () => block(latest),
    safe: () => block(safe),
    divergence: () => divergence,
    finalized: () => block(finalized),
    blockByNumber: (number) => (number <= latest ? block(Number(number)) : undefined),
  }
  const genesis = {
    l1: { hash: hash(7), number: 0 },
    l2: { number: 0, hash: hash(0) },
    l2Time: 1000,
  }
  const config = { blockTime: 2, fork: 'jovian', genesis } as RollupConfig
  return new Submissions({
    chain: chain as ChainView & ChainControl,
    inbox,
    format: { config, batchType: 'span', compression: 'zlib' },
    maxFrameData,
    repostAfter: 10,
    clock,
    logger: undefined,
  })
}

/** Without transactions it is taken for a block of the genesis epoch. */
function block(number: number): Block {
  const header = {
    number: BigInt(number),
    parentHash: hash(Math.max(0, number - 1)),
    timestamp: BigInt(1000 + 2 * number),
  } as Block['header']
  return { hash: hash(number), header, transactions: [], receipts: [], size: 600 }
}
