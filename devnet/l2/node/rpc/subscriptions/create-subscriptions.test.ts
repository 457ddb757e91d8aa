import { keccak256 } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RpcContext } from '#devnet/base/json-rpc/json-rpc-server'
import { ECHO, LOGGER } from '../testing/contracts.ts'
import { createTestNode, errorOf, type TestNode, word } from '../testing/test-node.ts'

interface Message {
  subscription: string
  result: Record<string, unknown>
}

let node: TestNode
beforeEach(async () => {
  node = await createTestNode()
})
const log = (first: number) =>
  node.sign({ to: LOGGER, data: `${word(first)}${word(0).slice(2)}` as `0x${string}` })

/** A WebSocket connection without the socket. */
function connect({ methods } = node) {
  const messages: Message[] = []
  const closers: (() => void)[] = []
  const context: RpcContext = {
    signal: new AbortController().signal,
    connection: {
      notify: (method, params) => {
        expect(method).toBe('eth_subscription')
        messages.push(JSON.parse(JSON.stringify(params)))
      },
      onClose: (action) => closers.push(action),
    },
  }
  return {
    messages,
    subscribe: async (...params: unknown[]) =>
      (await methods.eth_subscribe!(params, context)) as string,
    unsubscribe: async (id: unknown) => methods.eth_unsubscribe!([id], context),
    close: () => {
      for (const action of closers) action()
    },
  }
}

describe('transactionReceipts', () => {
  test('given a sealed block, then its receipts come in one list, as eth_getBlockReceipts has them', async () => {
    const { messages, subscribe } = connect()
    await subscribe('transactionReceipts')
    await node.chain.mine(await log(1), await log(2))
    expect(messages.map(({ result }) => result)).toEqual([
      await node.rpc('eth_getBlockReceipts', 'latest'),
    ])
  })

  test('given hashes, then those alone come, and nothing of a block without any', async () => {
    const { messages, subscribe } = connect()
    const [other, wanted] = [await log(1), await log(2)]
    const transactionHashes = [keccak256(wanted)]
    await subscribe('transactionReceipts', { transactionHashes })
    await node.chain.mine(other)
    await node.chain.mine(wanted)
    expect(messages.map(({ result }) => result)).toEqual([
      [await node.rpc('eth_getTransactionReceipt', transactionHashes[0])],
    ])
    const wrong = subscribe('transactionReceipts', { transactionHashes: ['0x11'] })
    expect(await errorOf(wrong)).toMatchObject({ code: -32602 })
  })
})

describe('pendingLogs', () => {
  test('given a flashblock, then its new logs are sent, one per message, as getLogs has them (RPC-WS-01…03)', async () => {
    const { messages, subscribe } = connect()
    const id = await subscribe('pendingLogs')
    expect(id).toMatch(/^0x[0-9a-f]+$/)
    await node.chain.flashblock(await log(1))
    await node.chain.flashblock()
    await node.chain.flashblock(await log(2), await log(3))
    expect(messages.map(({ subscription }) => subscription)).toStrictEqual([id, id, id])
    const polled = await node.rpc('eth_getLogs', { fromBlock: 'pending', toBlock: 'pending' })
    expect(messages.map(({ result }) => result)).toStrictEqual(polled)
    await node.chain.seal()
    expect(messages).toHaveLength(3)
  })

  test('given address and topics, then they filter; a bad filter is -32602 (OPEN-38)', async () => {
    const { messages, subscribe } = connect()
    await subscribe('pendingLogs', { address: LOGGER, topics: [[word(1), word(3)]] })
    await subscribe('pendingLogs', { address: ECHO })
    await node.chain.flashblock(await log(1), await log(2), await log(3))
    expect(messages.map(({ result }) => (result.topics as string[])[0])).toStrictEqual([
      word(1),
      word(3),
    ])
    expect(await errorOf(subscribe('pendingLogs', { address: '0x1' }))).toMatchObject({
      code: -32602,
    })
  })

  test('given a pre-confirmation that is dropped, then its logs are sent again as removed (OPEN-21)', async () => {
    const { messages, subscribe } = connect()
    await node.chain.mine()
    await subscribe('pendingLogs')
    await node.chain.flashblock(await log(1))
    await node.chain.reorg(1)
    expect(messages.map(({ result }) => result.removed)).toStrictEqual([false, true])
    expect({ ...messages[1]!.result, removed: false }).toStrictEqual(messages[0]!.result)
  })
})

describe('sealed blocks', () => {
  test('given a reorganization, then newHeads sends headers, and logs sends the removed ones (RPC-LOG-13)', async () => {
    const { messages, subscribe } = connect()
    const heads = await subscribe('newHeads')
    const logs = await subscribe('logs', { address: LOGGER })
    const block = await node.chain.mine(await log(1))
    await node.chain.reorg(1)
    const of = (id: string) => messages.filter(({ subscription }) => subscription === id)
    expect(of(heads)).toMatchObject([{ result: { number: '0x1', hash: block.hash } }])
    expect(of(logs)).toMatchObject([
      { result: { blockHash: block.hash, removed: false } },
      { result: { blockHash: block.hash, removed: true } },
    ])
  })

  test('given newPendingTransactions, then it sends hashes, or whole transactions', async () => {
    const { messages, subscribe } = connect()
    await subscribe('newPendingTransactions')
    await subscribe('newPendingTransactions', true)
    const { hash } = await node.chain.addToPool(await log(1))
    expect(messages.map(({ result }) => result)).toMatchObject([hash, { hash, blockHash: null }])
  })
})

describe('flashblocks', () => {
  test('given newFlashblocks, then it sends the whole pending block each time', async () => {
    const { messages, subscribe } = connect()
    await subscribe('newFlashblocks')
    await node.chain.flashblock(await log(1))
    await node.chain.flashblock(await log(2))
    expect(messages[1]!.result).toStrictEqual(
      await node.rpc('eth_getBlockByNumber', 'pending', true),
    )
    expect((messages[0]!.result.transactions as unknown[]).length).toBe(1)
  })

  test('given newFlashblockTransactions, then it sends hashes, outcomes, or those with a matching log', async () => {
    const { messages, subscribe } = connect()
    const hashes = await subscribe('newFlashblockTransactions')
    const full = await subscribe('newFlashblockTransactions', true)
    const matching = await subscribe('newFlashblockTransactions', { topics: [word(2)] })
    const { transactions } = await node.chain.flashblock(await log(1), await log(2))
    const of = (id: string) =>
      messages.filter(({ subscription }) => subscription === id).map(({ result }) => result)
    expect(of(hashes)).toStrictEqual(transactions.map(({ hash }) => hash))
    expect(of(full)).toMatchObject([
      { hash: transactions[0]!.hash, status: '0x1', logs: [{ topics: [word(1), word(0)] }] },
      { hash: transactions[1]!.hash },
    ])
    expect(of(matching)).toMatchObject([{ hash: transactions[1]!.hash }])
  })
})

describe('their life', () => {
  test('given eth_unsubscribe, then it tells whether there was one; closing ends the rest', async () => {
    const { messages, subscribe, unsubscribe, close } = connect()
    const id = await subscribe('pendingLogs')
    await subscribe('newHeads')
    expect(await connect().unsubscribe(id)).toBe(false)
    expect(await unsubscribe(id)).toBe(true)
    expect(await unsubscribe(id)).toBe(false)
    await node.chain.flashblock(await log(1))
    expect(messages).toStrictEqual([])
    close()
    expect(node.chain.listenerCount).toBe(0)
  })

  test('given an unknown kind, then it is -32602; one without pre-confirmations too; over HTTP -32603', async () => {
    expect(await errorOf(connect().subscribe('newStuff'))).toMatchObject({ code: -32602 })
    const sealedOnly = await createTestNode({ preconfirmations: false })
    expect(await errorOf(connect(sealedOnly).subscribe('pendingLogs'))).toMatchObject({
      code: -32602,
    })
    expect(await errorOf(node.rpc('eth_subscribe', 'newHeads'))).toMatchObject({ code: -32603 })
  })

  test('given a connection, then it has at most 1,024 subscriptions', async () => {
    const { subscribe } = connect()
    for (let count = 0; count < 1024; count++) await subscribe('newHeads')
    expect(await errorOf(subscribe('newHeads'))).toMatchObject({ code: -32006 })
  })
})
