import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { EMPTY_TRIE_ROOT } from '#protocol/crypto/keccak'
import { readAccount, readStorage } from '#protocol/execution/account-reader'
import type { Hash } from '#protocol/types/bytes'
import { openFork } from './open-fork.ts'

const ADDRESS = '0x00000000000000000000000000000000000000aa'
const SLOT: Hash = `0x${'00'.repeat(31)}07`
const HASH: Hash = `0x${'11'.repeat(32)}`

interface Call {
  method: string
  params: unknown[]
}
/** Answers a call, or does something worse with the response; undefined: as recorded. */
type Behaviour = (call: Call, response: ServerResponse, count: number) => unknown

/** A chain that only ever says what was recorded of it. */
async function replay(recorded: Record<string, unknown>, behave: Behaviour = () => undefined) {
  const calls: (Call & { headers: Record<string, unknown> })[] = []
  const server = createServer(async (request, response) => {
    const { id, method, params } = (await json(request)) as Call & { id: number }
    calls.push({ method, params, headers: request.headers })
    const answer = behave({ method, params }, response, calls.length)
    if (response.destroyed || answer === 'nothing') return
    const result = answer ?? recorded[method]
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: result ?? null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, calls, stop }
}

function recording(hash = HASH) {
  const block = {
    number: '0xc',
    hash,
    timestamp: '0x64',
    gasLimit: '0x1c9c380',
    baseFeePerGas: '0x7',
  }
  return {
    eth_chainId: '0x2105',
    eth_blockNumber: '0xc',
    eth_getBlockByNumber: block,
    eth_getBalance: '0xde0b6b3a7640000',
    eth_getTransactionCount: '0x9',
    eth_getCode: '0x6001',
    eth_getStorageAt: `0x${'00'.repeat(31)}2a`,
  }
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rollbed-fork-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

async function readAll(fork: Awaited<ReturnType<typeof openFork>>) {
  await fork.state.fetch(ADDRESS)
  await fork.state.fetch(`${ADDRESS}${SLOT.slice(2)}`)
  const account = readAccount(fork.state, EMPTY_TRIE_ROOT, ADDRESS)!
  return {
    nonce: account.nonce,
    balance: account.balance,
    code: fork.state.get(account.codeHash),
    slot: readStorage(fork.state, EMPTY_TRIE_ROOT, ADDRESS, SLOT),
  }
}

const READ = {
  nonce: 9n,
  balance: 10n ** 18n,
  code: Uint8Array.of(0x60, 0x01),
  slot: `0x${'00'.repeat(31)}2a`,
}

test('given a fork that was read, when it is opened again with the remote gone, then all that was read is there and nothing is asked', async () => {
  const remote = await replay(recording())
  const cache = folder()
  const first = await openFork({ url: remote.url, cache }, systemClock)
  expect(first).toMatchObject({
    chainId: 8453,
    block: { number: 12n, hash: HASH, timestamp: 100n },
  })
  expect(await readAll(first)).toEqual(READ)
  await first.stop()
  await remote.stop()
  const again = await openFork({ url: remote.url, block: 12, cache }, systemClock)
  expect(again).toMatchObject({ chainId: 8453, block: { number: 12n, hash: HASH } })
  expect(readStorage(again.state, EMPTY_TRIE_ROOT, ADDRESS, SLOT)).toBe(READ.slot)
  await again.stop()
})

test('given a remote that is gone and no block named, when a fork is opened, then the error names the blocks in the cache', async () => {
  const remote = await replay(recording())
  const cache = folder()
  await (await openFork({ url: remote.url, cache }, systemClock)).stop()
  await remote.stop()
  await expect(openFork({ url: remote.url, cache }, hasty())).rejects.toMatchObject({
    code: 'FORK_REMOTE_UNREACHABLE',
    hint: expect.stringContaining('12'),
  })
})

test('given a cache of a chain that is another now at the same URL, when the fork is opened, then nothing of the first is read', async () => {
  let recorded = recording()
  const remote = await replay({}, ({ method }) => recorded[method as keyof typeof recorded])
  const cache = folder()
  const first = await openFork({ url: remote.url, cache }, systemClock)
  await readAll(first)
  await first.stop()
  recorded = { ...recording(`0x${'22'.repeat(32)}`), eth_getBalance: '0x5' }
  const other = await openFork({ url: remote.url, cache }, systemClock)
  expect(await readAll(other)).toEqual({ ...READ, balance: 5n })
  await other.stop()
})

test('given a block that the remote does not have, when it is forked there, then FORK_BLOCK_MISSING says so', async () => {
  const remote = await replay({ ...recording(), eth_getBlockByNumber: null })
  await expect(
    openFork({ url: remote.url, block: 99, cache: false }, systemClock),
  ).rejects.toMatchObject({ code: 'FORK_BLOCK_MISSING' })
})

test('given a remote that closes connections, when it answers the third time, then the value is read', async () => {
  let dropped = 0
  const remote = await replay(recording(), ({ method }, response) => {
    if (method !== 'eth_getBalance' || dropped++ >= 2) return undefined
    response.destroy()
    return 'nothing'
  })
  const fork = await openFork({ url: remote.url, cache: false }, hasty())
  expect(await readAll(fork)).toEqual(READ)
  expect(remote.calls.filter(({ method }) => method === 'eth_getBalance')).toHaveLength(3)
  await fork.stop()
})

test('given a remote that never answers, when something is read, then FORK_REMOTE_UNREACHABLE comes after three attempts and other values can still be read', async () => {
  const heard = new Set<() => void>()
  const remote = await replay(recording(), ({ method }) => {
    if (method !== 'eth_getStorageAt') return undefined
    // It was heard: now time may run out.
    for (const expire of heard) expire()
    return 'nothing'
  })
  const fork = await openFork({ url: remote.url, cache: false }, hasty(heard))
  const slot = fork.state.fetch(`${ADDRESS}${SLOT.slice(2)}`)
  await expect(slot).rejects.toMatchObject({ code: 'FORK_REMOTE_UNREACHABLE' })
  expect(remote.calls.filter(({ method }) => method === 'eth_getStorageAt')).toHaveLength(3)
  await fork.state.fetch(ADDRESS)
  expect(readAccount(fork.state, EMPTY_TRIE_ROOT, ADDRESS)?.nonce).toBe(9n)
  await fork.stop()
})

test('given hundreds of reads at once, then no more than eight are under way, and each value is asked once', async () => {
  let underWay = 0
  let most = 0
  const remote = await replay(recording(), ({ method }, response) => {
    if (method !== 'eth_getStorageAt') return undefined
    most = Math.max(most, ++underWay)
    response.once('close', () => underWay--)
    return undefined
  })
  const fork = await openFork({ url: remote.url, cache: false }, systemClock)
  const keys = Array.from({ length: 200 }, (_, n) => n.toString(16).padStart(64, '0'))
  const fetchAll = () => keys.map((key) => fork.state.fetch(`${ADDRESS}${key}`))
  await Promise.all([...fetchAll(), ...fetchAll()])
  expect(remote.calls.filter(({ method }) => method === 'eth_getStorageAt')).toHaveLength(200)
  expect(most).toBeLessThanOrEqual(8)
  await fork.stop()
})

test('given headers, then each request has them, no error shows them, and another URL does not get them', async () => {
  const remote = await replay(recording())
  const other = await replay(recording())
  const headers = { authorization: 'Bearer secret-key' }
  const url = `${remote.url}/v2/secret-path`
  const fork = await openFork({ url, headers, cache: false }, hasty())
  expect(remote.calls.every((call) => call.headers.authorization === headers.authorization)).toBe(
    true,
  )
  await fork.moveTo(other.url)
  await fork.state.fetch(ADDRESS)
  expect(other.calls.length).toBeGreaterThan(0)
  expect(other.calls.some((call) => call.headers.authorization)).toBe(false)
  await fork.stop()
  await remote.stop()
  const error = await openFork({ url, headers, cache: false }, hasty()).catch((each: Error) => each)
  expect(error).toMatchObject({ code: 'FORK_REMOTE_UNREACHABLE' })
  expect(`${(error as Error).message} ${(error as Error).stack}`).not.toContain('secret')
})

test('given a remote that refuses, when something is read, then the error has its words and is not asked again', async () => {
  const remote = await replay(recording(), ({ method }, response, count) => {
    if (method !== 'eth_getCode') return undefined
    const error = { code: -32000, message: 'missing trie node' }
    response.end(JSON.stringify({ jsonrpc: '2.0', id: count, error }))
    return 'nothing'
  })
  const fork = await openFork({ url: remote.url, cache: false }, systemClock)
  await expect(fork.state.fetch(ADDRESS)).rejects.toMatchObject({
    code: 'FORK_REMOTE_REFUSED',
    message: expect.stringContaining('missing trie node'),
  })
  expect(remote.calls.filter(({ method }) => method === 'eth_getCode')).toHaveLength(1)
  await fork.stop()
})

/**
 * Pauses are over at once. The limit of an answer passes when the server says so, by `expiring`; without
 * it, never.
 */
function hasty(expiring?: Set<() => void>): Clock {
  return {
    now: () => systemClock.now(),
    after(delay, action) {
      if (delay < 10_000) {
        const soon = setImmediate(action)
        return { cancel: () => clearImmediate(soon) }
      }
      const expire = () => {
        expiring?.delete(expire)
        action()
      }
      expiring?.add(expire)
      return { cancel: () => expiring?.delete(expire) }
    },
  }
}
