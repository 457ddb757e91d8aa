import { bytesToHex } from '@ethereumjs/util'
import { type Hex, keccak256 } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ChainEvents } from '#devnet/l2/node/chain-view'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { SignedTransaction } from '#protocol/types/transaction'
import { ECHO } from '../../testing/contracts.ts'
import { createTestNode, errorOf, type TestNode, word } from '../../testing/test-node.ts'

describe('given a node whose pool keeps transactions until a flashblock', () => {
  let node: TestNode
  let clock: VirtualClock
  let raw: Uint8Array
  let listeners: number

  beforeEach(async () => {
    clock = new VirtualClock()
    node = await createTestNode({ clock })
    raw = await node.sign({ to: ECHO })
    listeners = node.chain.listenerCount
  })

  const send = (...rest: unknown[]) =>
    node.rpc('eth_sendRawTransactionSync', bytesToHex(raw), ...rest) as Promise<unknown>

  test('when it is pre-confirmed, then the answer is its receipt', async () => {
    const sent = send()
    await clock.advance(400)
    await node.chain.flashblock(raw)
    expect(await sent).toMatchObject({ to: ECHO, status: '0x1', transactionIndex: '0x0' })
    expect(node.chain.listenerCount).toBe(listeners)
  })

  test('when it is pre-confirmed at once, then nothing is waited for', async () => {
    node.chain.submit = async (bytes) => (await node.chain.flashblock(bytes)).transactions[0]!.hash
    expect(await send(0)).toMatchObject({ status: '0x1' })
  })

  test.each([[undefined], [1_500], ['0x5dc']])(
    'when nothing comes before the timeout %j, then the error has code 4 and the hash',
    async (timeout) => {
      const sent = errorOf(send(timeout))
      await clock.advance((timeout === undefined ? 6_000 : 1_500) - 1)
      expect(node.chain.listenerCount).toBeGreaterThan(listeners)
      await clock.advance(1)
      expect(await sent).toMatchObject({ code: 4, data: keccak256(raw) })
      expect(node.chain.listenerCount).toBe(listeners)
    },
  )

  test('when the pool gives it up, then the error says why, and of which transaction', async () => {
    const discarded: ((value: ChainEvents['discarded']) => void)[] = []
    const on = node.chain.on.bind(node.chain)
    node.chain.on = (event, listener) => {
      if (event === 'discarded') discarded.push(listener as never)
      return on(event, listener)
    }
    const sent = errorOf(send())
    await clock.advance(200)
    const reason = new RollbedError('NONCE_TOO_LOW', 'nonce too low')
    const discard = (hash: Hex) =>
      discarded[0]!({ transaction: { hash } as SignedTransaction, reason })
    discard(word(1))
    expect(node.chain.listenerCount).toBeGreaterThan(listeners)
    discard(keccak256(raw))
    expect(await sent).toMatchObject({
      code: -32000,
      message: 'nonce too low',
      data: keccak256(raw),
    })
    expect(node.chain.listenerCount).toBe(listeners)
  })

  test('when the caller leaves, then nothing listens any more', async () => {
    const caller = new AbortController()
    const { signal } = caller
    const sent = node.methods.eth_sendRawTransactionSync!([bytesToHex(raw)], { signal })
    await clock.advance(200)
    caller.abort(new Error('gone'))
    await expect(sent).rejects.toThrow('gone')
    expect(node.chain.listenerCount).toBe(listeners)
  })

  test.each([
    [6_001, 'time out too long, timeout: 6001 ms, max: 6000 ms'],
    ['0x1771', 'time out too long, timeout: 6001 ms, max: 6000 ms'],
    [-1, 'Invalid params'],
    [1.5, 'Invalid params'],
    [true, 'Invalid params'],
  ])('when the timeout is %j, then it is -32602', async (timeout, message) => {
    expect(await errorOf(send(timeout))).toMatchObject({ code: -32602, message })
  })

  test('then base_transactionStatus knows it until it is sealed', async () => {
    const status = (hash: string) => node.rpc('base_transactionStatus', hash) as Promise<unknown>
    const { hash } = await node.chain.addToPool(raw)
    expect(await status(hash)).toEqual({ status: 'Known' })
    await node.chain.flashblock(raw)
    expect(await status(hash)).toEqual({ status: 'Known' })
    await node.chain.seal()
    expect(await status(hash)).toEqual({ status: 'Unknown' })
    expect(await status(`0x${'ab'.repeat(32)}`)).toEqual({ status: 'Unknown' })
  })
})
