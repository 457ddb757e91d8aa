import { hexToBytes } from '@ethereumjs/util'
import { createTestClient, type Hex, http, parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { createKzg, type Kzg } from '#devnet/l1/blobs/kzg'
import { type L1, startL1 } from '#devnet/l1/start-l1'
import { batchInbox, l1ChainId } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { decodeBlob } from '#protocol/derivation/blob-encoding'
import { type Inbox, openInbox, type SignedTransaction } from './inbox.ts'

const { privateKey } = roleKeys.batcher
const DATA = [Uint8Array.of(1, 2, 3)]

let l1: L1
let kzg: Kzg
let inbox: Inbox

beforeAll(async () => {
  kzg = createKzg()
  const clock = new VirtualClock()
  l1 = await startL1({ clock, genesisTime: clock.now() / 1000, blockTime: 0 })
  inbox = open(l1.rpcUrl)
})
afterAll(() => Promise.all([l1.stop(), kzg.stop()]))

function open(l1RpcUrl: string): Inbox {
  const { signal } = new AbortController()
  return openInbox({ l1RpcUrl, l1ChainId, address: batchInbox, privateKey, kzg, signal })
}

function anvil() {
  return createTestClient({ mode: 'anvil', transport: http(l1.rpcUrl) })
}

test('given seven pieces of data, when sent, then six go in one transaction and one in the next', async () => {
  const sent = await send(
    inbox,
    Array.from({ length: 7 }, () => DATA[0]!),
  )
  expect(sent.map(({ nonce }) => nonce)).toEqual([0, 1])
  const { number } = await l1.mine()
  // 7 of the 9 blobs that a block may hold (EIP-7691).
  for (const each of sent) expect(await inbox.landing(each)).toMatchObject({ l1Number: number })
})

test('given an L1 reorg that drops it, when it is sent again, then it lands again', async () => {
  const [sent] = await send(inbox, DATA)
  const { number } = await l1.mine()
  expect(await inbox.landing(sent!)).toMatchObject({ l1Number: number })
  await anvil().request({ method: 'anvil_reorg', params: [1, []] } as never)
  expect(await inbox.landing(sent!)).toBe('pending')
  expect(await inbox.sendAgain(sent!, 0)).toBe(sent)
  const { hash } = await l1.mine()
  expect(await inbox.landing(sent!)).toMatchObject({ l1Block: hash })
})

test('given a base fee that outgrew it, when it is sent again, then one that pays takes its place', async () => {
  const [sent] = await send(inbox, DATA)
  // anvil drops what cannot pay when it mines.
  await anvil().setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 11n })
  await l1.mine()
  expect(await inbox.landing(sent!)).toBe('pending')

  const higher = await inbox.sendAgain(sent!, 0)
  expect(higher).toMatchObject({ nonce: sent!.nonce, replaces: sent })
  const { hash } = await l1.mine()
  expect(await inbox.landing(higher)).toMatchObject({ l1Block: hash })
})

test('given a fee that rises by turns, when it is sent again each time, then go-ethereum’s blob pool takes it', async () => {
  const pool = await blobPool()
  try {
    const strict = open(pool.url)
    const [first] = await send(strict, DATA)
    let sent = first!
    for (const [baseFee, blobBaseFee] of [
      [10n ** 9n, 100n],
      [10n ** 11n, 1n],
      [10n ** 12n, 10n ** 6n],
    ] as const) {
      Object.assign(pool, { baseFee, blobBaseFee })
      const higher = await strict.sendAgain(sent, 0)
      expect(higher).not.toBe(sent)
      sent = higher
    }
    expect(await strict.sendAgain(sent, 0)).toBe(sent)
    expect(pool.taken).toBe(4)
    expect(decodeBlob(hexToBytes(pool.blob!))).toEqual(DATA[0])

    // The first of them lands after all.
    pool.landed = first!.hash
    expect(await strict.landing(sent)).toMatchObject({ l1Number: 7n })
  } finally {
    await pool.stop()
  }
})

test('given a caller that leaves while its blob is committed to, then it does not wait for that', async () => {
  void kzg.commit(new Uint8Array(131_072).fill(1))
  const stop = new AbortController()
  const leaving = kzg.commit(new Uint8Array(131_072).fill(2), stop.signal)
  stop.abort(new Error('stopped'))
  await expect(leaving).rejects.toThrow('stopped')
})

/**
 * Takes a blob transaction as go-ethereum does (core/txpool/blobpool): in place of another only for
 * twice each of its three fees.
 */
async function blobPool() {
  let best: { fee: bigint; tip: bigint; blobFee: bigint } | undefined
  const pool = {
    url: '',
    baseFee: 10n ** 9n,
    blobBaseFee: 1n,
    taken: 0,
    blob: undefined as Hex | undefined,
    landed: undefined as Hex | undefined,
    stop: () => server.close(),
  }
  const server = createJsonRpcServer({
    clock: new VirtualClock(),
    methods: {
      eth_getTransactionCount: () => '0x0',
      eth_getBlockByNumber: () => ({ baseFeePerGas: `0x${pool.baseFee.toString(16)}` }),
      eth_blobBaseFee: () => `0x${pool.blobBaseFee.toString(16)}`,
      eth_getTransactionReceipt: (params) =>
        (params as Hex[])[0] === pool.landed
          ? { blockHash: pool.landed, blockNumber: '0x7' }
          : null,
      eth_sendRawTransaction(params) {
        const raw = (params as Hex[])[0]!
        const parsed = parseTransaction(raw as `0x03${string}`)
        const bid = {
          fee: parsed.maxFeePerGas!,
          tip: parsed.maxPriorityFeePerGas!,
          blobFee: parsed.maxFeePerBlobGas!,
        }
        if (best && bid.fee === best.fee) throw new JsonRpcError(-32000, 'already known')
        const names = ['fee', 'tip', 'blobFee'] as const
        if (best && names.some((name) => bid[name] < 2n * best![name]))
          throw new JsonRpcError(-32000, 'replacement transaction underpriced')
        best = bid
        pool.taken += 1
        pool.blob = (parsed.sidecars as unknown as { blob: Hex }[])[0]!.blob
        return '0x'
      },
    },
  })
  pool.url = `http://127.0.0.1:${await server.listen({ port: 0 })}`
  return pool
}

async function send(to: Inbox, data: readonly Uint8Array[]): Promise<SignedTransaction[]> {
  const signed = await to.sign(data)
  for (const each of signed) await to.offer(each)
  return signed
}
