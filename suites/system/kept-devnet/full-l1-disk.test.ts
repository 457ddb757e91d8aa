import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import { Supervisor } from '#devnet/base/process/supervisor'
import { FaultyDisk } from '#devnet/faults/faulty-disk'
import { L1Record } from '#devnet/l1/archive/l1-record'
import { startL1 } from '#devnet/l1/start-l1'
import { l1ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'

const genesisTime = 1_700_000_000
const account = privateKeyToAccount(userKeys[0]!.privateKey)

let folder: string
const ends: (() => Promise<void> | void)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-l1-'))
})
afterEach(async () => {
  await stopAll()
  rmSync(folder, { recursive: true, force: true })
})

async function stopAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

/** L1 on the kept file of this folder, and what is told of it. */
async function start(at = genesisTime) {
  const clock = new VirtualClock(at * 1000)
  const kept = new KeptDatabase(join(folder, 'l1.sqlite'))
  const disk = new FaultyDisk()
  disk.attach(kept.sql)
  const lines: { msg?: string }[] = []
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const supervisor = new Supervisor({ clock, logger })
  const record = new L1Record(kept, () => clock)
  const l1 = await startL1({ clock, genesisTime, record, supervisor, logger })
  ends.push(
    () => kept.close(),
    () => l1.stop(),
  )
  const step = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 1_000) {
      await clock.advance(1_000)
      await l1.idle()
    }
  }
  return { l1, clock, disk, lines, supervisor, step, rpc: httpRpcClient(l1.rpcUrl) }
}

async function send(rpc: RpcClient, nonce: number, bytes = 0): Promise<unknown> {
  const raw = await account.signTransaction({
    ...{ chainId: l1ChainId, nonce, type: 'eip1559', to: account.address },
    ...{ data: `0x${'c3'.repeat(bytes)}`, gas: 3_000_000n, maxFeePerGas: 10n ** 11n },
  })
  return await rpc.request('eth_sendRawTransaction', [raw])
}

const blockAt = async (rpc: RpcClient, tag: string) =>
  (await rpc.request('eth_getBlockByNumber', [tag, false])) as {
    number: string
    hash: string
    transactions: string[]
  }

/** Everything that a caller sees of the chain: hash after hash. */
async function hashes(rpc: RpcClient): Promise<string[]> {
  const newest = Number(await rpc.request('eth_blockNumber', []))
  const all: string[] = []
  for (let number = 0; number <= newest; number++)
    all.push((await blockAt(rpc, `0x${number.toString(16)}`)).hash)
  return all
}

/** What a subscriber hears of, by number. */
async function headsOver(url: string): Promise<number[]> {
  const heads: number[] = []
  const socket = new WebSocket(url.replace('http', 'ws'))
  ends.push(() => socket.terminate())
  await new Promise((resolve) => socket.once('open', resolve))
  const subscribed = new Promise((resolve) => socket.once('message', resolve))
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  await subscribed
  socket.on('message', (message) => {
    const { params } = JSON.parse(String(message))
    if (params) heads.push(Number(params.result.number))
  })
  return heads
}

const WORDS =
  /L1 waits until there is room: What happened on L1 since block \d+ could not be written/

describe.each(['full', 'read_only'] as const)('a disk that is %s under L1', (fault) => {
  test('given callers, when there is no room for a minute, then nobody sees a block that is not on disk, it is told once, and L1 goes on by itself', async () => {
    const { l1, clock, disk, lines, supervisor, step, rpc } = await start()
    await send(rpc, 0)
    await step(6_000)
    const heard = await headsOver(l1.rpcUrl)
    const before = await hashes(rpc)
    const big = await send(rpc, 1, 60_000)
    const clear = await disk.effects[fault]()
    await step(60_000)

    expect(supervisor.health().warnings).toMatchObject([{ part: 'L1 chain', waits: true }])
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^L1 chain: What happened on L1 since block 3 could not be written/),
    ])
    await expect(rpc.request('eth_blockNumber', [])).rejects.toThrow(WORDS)
    await expect(send(rpc, 2)).rejects.toThrow(WORDS)
    await expect(rpc.request('evm_mine', [])).rejects.toThrow(WORDS)
    await expect(l1.mine()).rejects.toMatchObject({ code: 'L1_NOT_WRITTEN' })
    expect(heard).toEqual([])
    expect((await fetch(`${l1.rpcUrl}/eth/v1/beacon/blobs/head`)).status).not.toBe(200)

    await clear?.()
    await step(1_000)
    expect(supervisor.health().warnings).toEqual([])
    expect(lines.map(({ msg }) => msg).slice(1)).toEqual(['L1 chain: well again'])
    // One block stood ready all the time; none came on top of it.
    const after = await hashes(rpc)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after).toHaveLength(before.length + 1)
    expect((await blockAt(rpc, 'latest')).transactions).toEqual([big])
    await send(rpc, 2)
    await step(4_000)
    const seen = await hashes(rpc)
    expect(seen.length).toBeGreaterThan(after.length)

    const now = clock.now() / 1000
    await stopAll()
    const again = await start(now)
    expect(await hashes(again.rpc)).toEqual(seen)
    expect(await again.rpc.request('eth_getTransactionCount', [account.address, 'latest'])).toBe(
      '0x3',
    )
  })

  test('given L1 that waits, when another life begins on its file, then all that anybody saw is there and the same', async () => {
    const { disk, step, rpc, clock } = await start()
    await send(rpc, 0)
    await step(6_000)
    await send(rpc, 1, 60_000)
    const seen = await hashes(rpc)
    await disk.effects[fault]()
    await step(10_000)
    const during = await hashes(rpc).catch(() => [])
    const now = clock.now() / 1000
    await stopAll()
    const again = await start(now)
    const kept = await hashes(again.rpc)
    expect(kept.slice(0, seen.length)).toEqual(seen)
    expect(kept.slice(0, during.length)).toEqual(during)
  })
})

test('given a batch and WebSocket, while L1 waits, then each member is refused in words', async () => {
  const { l1, disk, step, rpc } = await start()
  await step(4_000)
  await disk.effects.read_only()
  await step(2_000)
  const batch = ['eth_chainId', 'eth_sendRawTransaction', 'eth_getLogs'].map((method, id) => ({
    ...{ jsonrpc: '2.0', id, method, params: ['0x'] },
  }))
  const response = await fetch(l1.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(batch),
  })
  const refusal = { code: -32603, message: expect.stringMatching(WORDS) }
  expect(await response.json()).toMatchObject([0, 1, 2].map((id) => ({ id, error: refusal })))

  const socket = new WebSocket(l1.rpcUrl.replace('http', 'ws'))
  ends.push(() => socket.terminate())
  await new Promise((resolve) => socket.once('open', resolve))
  const answer = new Promise((resolve) => socket.once('message', (data) => resolve(String(data))))
  socket.send('{"jsonrpc":"2.0","id":"a","method":"eth_blockNumber","params":[]}')
  expect(JSON.parse(String(await answer))).toMatchObject({ id: 'a', error: refusal })
  await expect(rpc.request('eth_chainId', [])).rejects.toThrow(WORDS)
})

test('given a cheat whose state does not go on disk, then it is not answered as done, and holds once there is room', async () => {
  const { disk, step, rpc, clock } = await start()
  await step(4_000)
  const clear = await disk.effects.read_only()
  await expect(rpc.request('anvil_setBalance', [account.address, '0x7'])).rejects.toThrow(WORDS)
  await clear?.()
  await step(1_000)
  expect(await rpc.request('eth_getBalance', [account.address, 'latest'])).toBe('0x7')
  const now = clock.now() / 1000
  await stopAll()
  const again = await start(now)
  expect(await again.rpc.request('eth_getBalance', [account.address, 'latest'])).toBe('0x7')
})

test('given a disk that refuses, when L1 waits, then it is tried once a second and no more', async () => {
  const { disk, step, rpc, supervisor } = await start()
  await step(4_000)
  const clear = await disk.effects.read_only()
  await step(2_000)
  let tries = 0
  const wait = supervisor.wait.bind(supervisor)
  supervisor.wait = (part, problem) => {
    tries += 1
    wait(part, problem)
  }
  const asking = Array.from({ length: 50 }, () => rpc.request('evm_mine', []).catch(() => {}))
  await Promise.all(asking)
  await step(20_000)
  expect(tries).toBe(20)
  await clear?.()
})
