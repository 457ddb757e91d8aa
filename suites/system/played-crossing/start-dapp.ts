import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { rollbedChain } from '#devnet/sdk/viem/index'
import { sleep } from '#protocol/clock/clock'
import { systemClock as clock } from '#protocol/clock/system-clock'

/** Milliseconds from one payment to the next. */
const EVERY = 500
/** Of the ten accounts, one that nobody else takes. */
const ACCOUNT = 9
const NOBODY = '0x000000000000000000000000000000000000bEEF'
const STREAMS = ['newHeads', 'newFlashblocks', 'pendingLogs'] as const

/** What a dapp met on one side of the crossing. */
export interface Side {
  payments: number
  /** Milliseconds from sending to the receipt: of half of the payments, and the longest. */
  median: number
  longest: number
  /** Receipts whose block was not sealed yet. */
  preconfirmed: number
  /** Messages by subscription. */
  messages: Record<(typeof STREAMS)[number], number>
}

export interface DappRecord {
  before: Side
  since: Side
  /** Each payment arrived, once. */
  paid: bigint
  sent: number
  errors: string[]
}

/** A dapp that pays, waits for each receipt and listens, and keeps what it met. */
export async function startDapp(description: DevnetDescription, first: bigint) {
  const { rpcUrl, wsUrl, accounts } = description
  const transport = http(rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 })
  const account = privateKeyToAccount(accounts[ACCOUNT]!.privateKey)
  const chain = rollbedChain(description)
  const wallet = createWalletClient({ account, chain, transport })
  const sides = { before: emptySide(), since: emptySide() }
  const waits: Record<keyof typeof sides, number[]> = { before: [], since: [] }
  const ending = new AbortController()
  const errors: string[] = []
  let sent = 0
  let side: keyof typeof sides = 'before'
  const socket = await subscribe(wsUrl, (stream, result) => {
    const { number } = Object(result) as { number?: string }
    if (stream === 'newHeads' && BigInt(number ?? 0) >= first) side = 'since'
    sides[side].messages[stream] += 1
  })
  const pay = async () => {
    const began = clock.now()
    const hash = await wallet.sendTransaction({ to: NOBODY, value: 1n })
    sent += 1
    const { blockNumber } = await client.waitForTransactionReceipt({ hash })
    const own = blockNumber >= first ? 'since' : 'before'
    waits[own].push(clock.now() - began)
    sides[own].payments += 1
    if ((await client.getBlockNumber()) < blockNumber) sides[own].preconfirmed += 1
  }
  const work = async () => {
    while (!ending.signal.aborted) {
      await pay().catch((error: Error) => void errors.push(error.message.split('\n')[0]!))
      await sleep(clock, EVERY, ending.signal).catch(() => {})
    }
  }
  const working = work()
  const stop = async (): Promise<DappRecord> => {
    ending.abort()
    await working
    socket.terminate()
    for (const name of ['before', 'since'] as const) {
      const sorted = waits[name].toSorted((a, b) => a - b)
      sides[name].median = sorted[sorted.length >> 1] ?? 0
      sides[name].longest = sorted.at(-1) ?? 0
    }
    const paid = await client.getBalance({ address: NOBODY })
    return { ...sides, paid, sent, errors }
  }
  return { stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

function emptySide(): Side {
  const messages = { newHeads: 0, newFlashblocks: 0, pendingLogs: 0 }
  return { payments: 0, median: 0, longest: 0, preconfirmed: 0, messages }
}

/** One WebSocket that listens to all of them, as a client of before does. */
async function subscribe(
  url: string,
  onMessage: (stream: (typeof STREAMS)[number], result: unknown) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(url)
  const streams = new Map<unknown, (typeof STREAMS)[number]>()
  socket.on('message', (data) => {
    const { id, result, params } = JSON.parse(String(data))
    if (id !== undefined && result) streams.set(result, STREAMS[id]!)
    const stream = streams.get(params?.subscription)
    if (stream) onMessage(stream, params.result)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  for (const [id, stream] of STREAMS.entries()) {
    const [method, params] = ['eth_subscribe', [stream]]
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  }
  return socket
}
