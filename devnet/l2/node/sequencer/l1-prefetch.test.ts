import { describe, expect, it } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { L1Header } from '#protocol/derivation/l1-header'
import { type FetchL1Block, startL1Prefetch } from './l1-prefetch.ts'

const word = (text: string): `0x${string}` => `0x${text.padStart(64, '0')}`

/** An L1 whose blocks are named by their hashes, index 0 first. */
function scriptedL1(hashes: string[]) {
  const script = { hashes, down: false, requests: 0, onRead: async () => {} }
  const fetchBlock: FetchL1Block = async (number) => {
    script.requests++
    await script.onRead()
    if (script.down) throw new Error('connection refused')
    const hash = script.hashes[Number(number)]
    if (hash === undefined) return undefined
    const parentHash = word(script.hashes[Number(number) - 1] ?? '')
    return { header: { number, hash: word(hash), parentHash } as L1Header, receipts: [] }
  }
  return { script, fetchBlock }
}

async function start(hashes: string[]) {
  const clock = new VirtualClock()
  const { script, fetchBlock } = scriptedL1(hashes)
  const origin = { number: 1n, hash: word('a1') }
  return { clock, script, prefetch: await startL1Prefetch({ fetchBlock, clock, origin }) }
}

describe('L1 in memory', () => {
  it('given an L1, when started, then it holds all from the origin to the head', async () => {
    const { prefetch } = await start(['a0', 'a1', 'a2', 'a3'])
    expect(prefetch.head()).toBe(3n)
    expect(prefetch.block(0n)).toBeUndefined()
    expect(prefetch.block(1n)?.header.hash).toBe(word('a1'))
    expect(prefetch.block(3n)?.header.parentHash).toBe(word('a2'))
    await prefetch.stop()
  })

  it('given another L1 than the genesis was made for, when started, then it says so', async () => {
    await expect(start(['b0', 'b1'])).rejects.toMatchObject({ code: 'L1_ORIGIN_MISSING' })
    await expect(start(['a0'])).rejects.toMatchObject({ code: 'L1_ORIGIN_MISSING' })
  })

  it('given new blocks, when time goes on, then it has them without being asked', async () => {
    const { clock, script, prefetch } = await start(['a0', 'a1'])
    script.hashes.push('a2', 'a3')
    await clock.advance(200)
    expect(prefetch.head()).toBe(3n)
    prefetch.forget(3n)
    expect([prefetch.block(2n), prefetch.block(3n)?.header.number]).toEqual([undefined, 3n])
    await prefetch.stop()
  })

  it('given forgotten blocks, when the chain goes back to one, then it and all after it are there again', async () => {
    const { clock, script, prefetch } = await start(['a0', 'a1', 'a2', 'a3', 'a4'])
    prefetch.forget(4n)
    await prefetch.recall({ number: 2n, hash: word('a2') })
    expect([1n, 2n, 3n, 4n].map((number) => prefetch.block(number)?.header.hash)).toEqual([
      undefined,
      ...['a2', 'a3', 'a4'].map(word),
    ])
    const { requests } = script
    await prefetch.recall({ number: 3n, hash: word('a3') })
    expect(script.requests).toBe(requests)
    script.hashes.push('a5')
    await clock.advance(200)
    expect(prefetch.head()).toBe(5n)
    await prefetch.stop()
  })

  it('given forgotten blocks, when a snapshot leads back to one, then it and all after it are there, and L1 is not asked', async () => {
    const { clock, script, prefetch } = await start(['a0', 'a1', 'a2', 'a3', 'a4'])
    prefetch.forget(4n)
    const { requests } = script
    const origin = { number: 2n, hash: word('a2') }
    prefetch.remember(origin)
    await prefetch.recall(origin)
    expect([1n, 2n, 3n, 4n].map((number) => prefetch.block(number)?.header.hash)).toEqual([
      undefined,
      ...['a2', 'a3', 'a4'].map(word),
    ])
    expect(script.requests).toBe(requests)
    script.hashes.push('a5')
    await clock.advance(200)
    expect(prefetch.head()).toBe(5n)
    await prefetch.stop()
  })

  it('given forgotten blocks that L1 dropped since, when a snapshot leads back to one, then that is an error', async () => {
    const { clock, script, prefetch } = await start(['a0', 'a1', 'a2', 'a3'])
    prefetch.forget(3n)
    script.hashes = ['a0', 'b1', 'b2', 'b3', 'b4']
    await clock.advance(400)
    const origin = { number: 2n, hash: word('a2') }
    prefetch.remember(origin)
    await expect(prefetch.recall(origin)).rejects.toMatchObject({ code: 'L1_ORIGIN_MISSING' })
    await prefetch.stop()
  })

  it('given more forgotten blocks than are kept, when a snapshot leads back to one of them, then they are asked for', async () => {
    const hashes = Array.from({ length: 600 }, (_, number) => `a${number}`)
    const { clock, script, prefetch } = await start(hashes)
    for (let below = 50n; below < 600n; below += 50n) {
      prefetch.forget(below)
      await clock.advance(200)
    }
    const { requests } = script
    const origin = { number: 10n, hash: word('a10') }
    prefetch.remember(origin)
    expect(prefetch.block(10n)).toBeUndefined()
    await prefetch.recall(origin)
    expect(prefetch.block(11n)?.header.hash).toBe(word('a11'))
    expect(script.requests).toBeGreaterThan(requests)
    await prefetch.stop()
  })

  it('given an L1 that grows as fast as it is read, when the chain goes back to one, then it waits for one look at most', async () => {
    const { clock, script, prefetch } = await start(['a0', 'a1', 'a2', 'a3', 'a4'])
    prefetch.forget(4n)
    script.onRead = async () => {
      script.hashes.push(`a${script.hashes.length}`)
      await clock.advance(100)
    }
    const { requests } = script
    await prefetch.recall({ number: 2n, hash: word('a2') })
    expect(script.requests - requests).toBeLessThanOrEqual(6)
    expect(prefetch.block(3n)?.header.hash).toBe(word('a3'))
    script.onRead = async () => {}
    await clock.advance(1_000)
    expect(prefetch.head()).toBe(BigInt(script.hashes.length - 1))
    await prefetch.stop()
  })

  it('given an L1 that hangs, when the chain goes back to a block that is there, then it does not wait', async () => {
    const { clock, script, prefetch } = await start(['a0', 'a1', 'a2'])
    const answered = Promise.withResolvers<void>()
    script.onRead = () => answered.promise
    await clock.advance(200)
    await prefetch.recall({ number: 1n, hash: word('a1') })
    answered.resolve()
    await prefetch.stop()
  })

  it('given L1 dropped a block, when the chain goes back to it, then that is an error and nothing is lost', async () => {
    const { prefetch } = await start(['a0', 'a1', 'a2'])
    prefetch.forget(2n)
    const gone = { number: 1n, hash: word('b1') }
    await expect(prefetch.recall(gone)).rejects.toMatchObject({ code: 'L1_ORIGIN_MISSING' })
    expect(prefetch.block(2n)?.header.hash).toBe(word('a2'))
    await prefetch.stop()
  })

  it('given L1 is away for a while, when it is back, then nothing is missing', async () => {
    const { clock, script, prefetch } = await start(['a0', 'a1'])
    script.down = true
    script.hashes.push('a2')
    await clock.advance(1_000)
    expect(prefetch.head()).toBe(1n)
    script.down = false
    await clock.advance(200)
    expect(prefetch.head()).toBe(2n)
    await prefetch.stop()
  })

  it('given L1 reorganises above the origin, when polled, then the new blocks replace the old', async () => {
    const { clock, script, prefetch } = await start(['a0', 'a1', 'a2', 'a3'])
    script.hashes = ['a0', 'a1', 'b2', 'b3', 'b4']
    await clock.advance(400)
    expect(prefetch.head()).toBe(4n)
    expect(prefetch.block(2n)?.header.hash).toBe(word('b2'))
    await prefetch.stop()
  })

  it('given L1 reorganises the origin away, when polled, then what took its place is known', async () => {
    const { clock, script, prefetch } = await start(['a0', 'a1', 'a2'])
    script.hashes = ['a0', 'b1', 'b2', 'b3']
    await clock.advance(400)
    expect([1n, 2n, 3n].map((number) => prefetch.block(number)?.header.hash)).toEqual(
      ['b1', 'b2', 'b3'].map(word),
    )
    await prefetch.stop()
  })

  it('given a far longer L1, when started, then a bounded part is held until it is used', async () => {
    const hashes = Array.from({ length: 200 }, (_, number) => `a${number}`)
    const { clock, prefetch } = await start(hashes)
    expect(prefetch.head()).toBe(65n)
    prefetch.forget(30n)
    await clock.advance(200)
    expect(prefetch.head()).toBe(94n)
    await prefetch.stop()
  })

  it('given it is stopped, when time goes on, then L1 is asked no more', async () => {
    const { clock, script, prefetch } = await start(['a0', 'a1'])
    await prefetch.stop()
    const { requests } = script
    await clock.advance(10_000)
    expect(script.requests).toBe(requests)
    expect(clock.nextAlarm()).toBeUndefined()
  })
})
