import { hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  acceptAs,
  blockHash,
  channel,
  cut,
  derive,
  inbox,
  newChain,
  singular,
  span,
  spanOver,
  start,
  summary,
  TX,
} from './testing/scripted-chain.ts'
import { batcherTransaction } from './testing/scripted-l1.ts'

describe('frames and channels', () => {
  test('given a channel over several L1 blocks, the last frame completes it', async () => {
    const { l1, config } = newChain()
    const [a, b, c] = cut(channel([span(l1, config, [[TX]])]), 3)
    l1.mine({ transactions: [await inbox([a!])] })
    l1.mine({ transactions: [await inbox([b!]), await inbox([c!])] })
    const { payloads } = await derive(l1, config)
    expect(payloads.map(({ l1InclusionNumber }) => l1InclusionNumber)).toEqual([2n])
  })

  test.each([
    ['one block too late', 4, 0],
    ['just in time', 3, 1],
  ])('given a last frame %s, the channel timeout decides', async (_name, blocks, derived) => {
    const { l1, config } = newChain({ channelTimeout: 3 })
    const [a, b] = cut(channel([span(l1, config, [[]])]), 2)
    l1.mine({ transactions: [await inbox([a!])] })
    for (let i = 1; i < blocks; i++) l1.mine()
    l1.mine({ transactions: [await inbox([b!])] })
    expect((await derive(l1, config)).payloads).toHaveLength(derived)
  })

  test('given frames out of order, the channel is never completed', async () => {
    const { l1, config } = newChain()
    const [a, b, c] = cut(channel([span(l1, config, [[]])]), 3)
    l1.mine({ transactions: [await inbox([a!, c!, b!])] })
    expect((await derive(l1, config)).payloads).toEqual([])
  })

  test('given an unclosed channel and then another, the other is read', async () => {
    const { l1, config } = newChain()
    const [a] = cut(channel([span(l1, config, [[]])]), 2)
    const whole = cut(channel([span(l1, config, [[TX]])]), 1, '0x02')
    l1.mine({ transactions: [await inbox([a!, ...whole])] })
    expect((await derive(l1, config)).payloads.map(summary)).toMatchObject([{ transactions: 1 }])
  })

  test('given garbage of every kind beside it, the good channel is read', async () => {
    const { l1, config } = newChain()
    const stranger = privateKeyToAccount(`0x${'ee'.repeat(32)}`)
    const good = await inbox([span(l1, config, [[]])])
    const garbage = [
      await inbox(new Uint8Array(0)),
      await inbox(Uint8Array.of(9, 9, 9)),
      await inbox(Uint8Array.of(0, 1, 2, 3)),
      await inbox(cut(Uint8Array.of(0x78, 0xda, 1, 2, 3), 1, '0x03')),
      await inbox(cut(hexToBytes('0x0000'), 1, '0x04')),
      await inbox([span(l1, config, [[TX]])], stranger),
      await batcherTransaction(`0x${'01'.repeat(20)}`, cut(channel([span(l1, config, [[TX]])]), 1)),
      Uint8Array.of(0x05, 0xc0),
      Uint8Array.of(0x02, 0xff),
    ]
    l1.mine({ transactions: [...garbage, good] })
    expect((await derive(l1, config)).payloads.map(summary)).toMatchObject([{ transactions: 0 }])
  })
})

describe('invalid batches', () => {
  test('given a batch from the future, it takes the rest of its channel with it', async () => {
    const { l1, config } = newChain()
    const early = singular(l1, { time: 4, origin: 0, parent: 1 })
    const due = singular(l1, { time: 2, origin: 0, parent: 0 })
    l1.mine({ transactions: [await inbox([early, due])] })
    expect((await derive(l1, config)).payloads).toEqual([])
    l1.mine({ transactions: [await inbox([due, due, early])] })
    // The second copy is of the past: it goes alone.
    expect((await derive(l1, config)).payloads).toHaveLength(2)
  })

  test('given a span that does not fit, it takes the rest of its channel with it', async () => {
    const { l1, config } = newChain()
    const late = spanOver(l1, config, [0, 0])
    if (late.type === 'span') late.batch.relativeTimestamp += 2n
    l1.mine({ transactions: [await inbox([late, span(l1, config, [[]])])] })
    expect((await derive(l1, config)).payloads).toEqual([])
  })

  test('given a payload that cannot be executed, its deposits stay and the rest of the span goes', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([span(l1, config, [[], [TX], [TX]])])] })
    const derivation = await start(l1, config)
    acceptAs(derivation, 1, (await derivation.next())!)
    expect((await derivation.next())!.attributes.transactions).toHaveLength(2)
    const replaced = derivation.rejectTransactions()
    expect(replaced.isDepositsOnly).toBe(true)
    expect(replaced.attributes.transactions).toHaveLength(1)
    acceptAs(derivation, 2, replaced)
    expect(await derivation.next()).toBeUndefined()
  })

  test('given deposits that cannot be executed, derivation stops with an error', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([span(l1, config, [[]])])] })
    const derivation = await start(l1, config)
    await derivation.next()
    expect(() => derivation.rejectTransactions()).toThrow(/deposits/)
  })

  test('given a block other than the derived one, accepting it is refused', async () => {
    const { l1, config } = newChain()
    l1.mine({ transactions: [await inbox([span(l1, config, [[]])])] })
    const derivation = await start(l1, config)
    const { attributes } = (await derivation.next())!
    const block = { number: 2n, hash: blockHash(2), timestamp: attributes.timestamp }
    expect(() => derivation.accept(block)).toThrow(
      expect.objectContaining({ code: 'DERIVATION_OUT_OF_STEP' }),
    )
  })
})
