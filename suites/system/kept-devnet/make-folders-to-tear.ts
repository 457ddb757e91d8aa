import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import type { Hash, Hex } from '#protocol/types/bytes'
import { registerCode } from './killed-devnet.ts'

/** Init code that emits one empty log. */
const LOGGER = '0x60006000a0'
const WALLETS = 12

/** What users of a devnet were told: asked by RPC while it ran, and by nothing that reads its files. */
export interface Answers {
  l2: {
    hash: Hash
    transactions: Hash[]
    receipts: { status: Hex; gasUsed: Hex; logs: number }[]
  }[]
  l1: { hash: Hash; transactions: Hash[] }[]
  codes: Map<Hex, string>
  description: Devnet['description']
}

const DATABASES = ['l1.sqlite', 'l2.sqlite', 'builder-codes.sqlite']

/** Folders of `--state` that are whole, to be copied and damaged. */
export interface FoldersToTear {
  /** Stopped for the second time: of the same moment as `killed`, and its databases are closed. */
  stopped: string
  /** The same at its last block, as `kill -9` leaves it: with logs that are not in the databases yet. */
  killed: string
  /** Stopped for the first time. */
  older: string
  /** Of another devnet, killed. */
  other: string
  answers: Answers
}

/** Plays one devnet twice and another once; no time passes but by blocks that are asked for. */
export async function makeFoldersToTear(parent: string): Promise<FoldersToTear> {
  const folder = (name: string) => join(parent, name)
  const codes = new Map<Hex, string>()
  const first = await start(folder('stopped'))
  await use(first, codes, 1)
  await first.stop()
  cpSync(folder('stopped'), folder('older'), { recursive: true })

  const second = await start(folder('stopped'))
  await use(second, codes, 2)
  let answers = await ask(second, codes)
  for (let isOf: Answers | undefined; !isDeepStrictEqual(isOf, answers); ) {
    // What the batcher had sent may have come into one more block of L1 meanwhile.
    isOf = answers
    rmSync(folder('killed'), { recursive: true, force: true })
    cpSync(folder('stopped'), folder('killed'), { recursive: true })
    answers = await ask(second, codes)
  }
  await second.stop()
  rmSync(folder('stopped'), { recursive: true })
  cpSync(folder('killed'), folder('stopped'), { recursive: true })
  for (const name of DATABASES) closeTidily(join(folder('stopped'), name))

  mkdirSync(folder('begun'))
  const stranger = await start(folder('begun'))
  await use(stranger, new Map(), 3)
  cpSync(folder('begun'), folder('other'), { recursive: true })
  await stranger.stop()
  const [stopped, killed, older, other] = ['stopped', 'killed', 'older', 'other'].map(folder)
  return { stopped: stopped!, killed: killed!, older: older!, other: other!, answers }
}

/** Whoever closes it last copies the log into it. */
function closeTidily(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

const start = (state: string) =>
  startDevnet({
    ...{ state, manual: true, clock: 'manual', genesisTime: 1_700_000_000, enclaves: 0 },
    logLevel: 'silent',
  })

async function use(devnet: Devnet, codes: Map<Hex, string>, round: number): Promise<void> {
  const { description, l1 } = devnet
  const l2 = httpRpcClient(description.rpcUrl)
  const onL1 = httpRpcClient(description.l1RpcUrl)
  const [from, to] = description.accounts.map(({ address }) => address)
  for (let block = 0; block < 4; block++) {
    await l2.request('eth_sendTransaction', [{ from, to, value: hex(round) }])
    await l2.request('eth_sendTransaction', [{ from, data: LOGGER, gas: hex(100_000) }])
    await l2.request('rollbed_seal', [])
    await onL1.request('eth_sendTransaction', [{ from, to, value: hex(round) }])
    await l1.mine()
  }
  for (let index = 0; index < WALLETS; index++) {
    const wallet: Hex = `0x${hex(1_000 * round + index)
      .slice(2)
      .padStart(40, '0')}`
    codes.set(wallet, (await registerCode(description.apiUrl, wallet)).builderCode)
  }
}

async function ask({ description }: Devnet, codes: Map<Hex, string>): Promise<Answers> {
  const l2Rpc = httpRpcClient(description.rpcUrl)
  const blocks = await blocksOf(l2Rpc)
  const l2 = await Promise.all(
    blocks.map(async ({ hash, transactions }) => {
      const receipts = (await l2Rpc.request('eth_getBlockReceipts', [hash])) as {
        status: Hex
        gasUsed: Hex
        logs: unknown[]
      }[]
      const short = receipts.map(({ status, gasUsed, logs }) => ({
        ...{ status, gasUsed, logs: logs.length },
      }))
      return { hash, transactions, receipts: short }
    }),
  )
  return { l2, l1: await blocksOf(httpRpcClient(description.l1RpcUrl)), codes, description }
}

async function blocksOf(rpc: RpcClient): Promise<{ hash: Hash; transactions: Hash[] }[]> {
  const newest = Number(await rpc.request('eth_blockNumber', []))
  const numbers = Array.from({ length: newest + 1 }, (_, number) => hex(number))
  return (await Promise.all(
    numbers.map((number) => rpc.request('eth_getBlockByNumber', [number, false])),
  )) as { hash: Hash; transactions: Hash[] }[]
}

const hex = (number: number): Hex => `0x${number.toString(16)}`
