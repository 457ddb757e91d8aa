import { readFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { AnvilProcess } from '#devnet/l1/anvil-process'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'

/** A chain that is made of the same transactions as the other's, and then read. */
export interface Contestant {
  url: string
  /** Puts transactions into the pool, and all of them into the block being built. */
  preconfirm(transactions: readonly Hex[]): Promise<void>
  /** Ends the block with these and what is pre-confirmed. */
  mine(transactions: readonly Hex[]): Promise<void>
  request(method: string, ...params: unknown[]): Promise<unknown>
  /** Seconds of CPU that its process has used. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** Jiffies in a second, as Linux counts them for everybody. */
const TICKS = 100

/** `rollbed up`, whose blocks only come when told; without a prover, which nothing here asks for. */
export async function startRollbed(): Promise<Contestant> {
  const devnet = new RollbedProcess([
    'up',
    '--json',
    '--manual',
    '--port-base',
    '0',
    '--enclaves',
    'none',
  ])
  const { rpcUrl } = await devnet.ready()
  const base = contestant(rpcUrl, devnet.child.pid!, async () => {
    await devnet.stop()
  })
  const preconfirm = async (transactions: readonly Hex[]) => {
    await send(rpcUrl, transactions)
    // A flashblock takes its share of the block's gas and leaves the rest for the next.
    while (Number(((await base.request('txpool_status')) as { pending: Hex }).pending) > 0) {
      await base.request('rollbed_flashblock')
    }
  }
  return {
    ...base,
    preconfirm,
    async mine(transactions) {
      await preconfirm(transactions)
      await base.request('rollbed_seal')
    },
  }
}

/** anvil with nothing around it, whose blocks only come when told. */
export async function startAnvil(): Promise<Contestant> {
  const anvil = new AnvilProcess({
    port: 0,
    chainId: l2ChainId,
    accounts: userKeys.length,
    gasLimit: 60_000_000,
    noMining: true,
    order: 'fifo',
    noRequestSizeLimit: true,
  })
  await anvil.start()
  const url = `http://127.0.0.1:${anvil.port}`
  const base = contestant(url, anvil.pid!, () => anvil.stop())
  return {
    ...base,
    preconfirm: (transactions) => send(url, transactions),
    async mine(transactions) {
      await send(url, transactions)
      await base.request('evm_mine')
    },
  }
}

function contestant(url: string, pid: number, stop: () => Promise<void>) {
  const client = httpRpcClient(url)
  return {
    url,
    stop,
    request: (method: string, ...params: unknown[]) => client.request(method, params),
    cpuSeconds() {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS
    },
  }
}

async function send(url: string, transactions: readonly Hex[]): Promise<void> {
  if (transactions.length === 0) return
  const calls = transactions.map((raw, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_sendRawTransaction',
    params: [raw],
  }))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  })
  const answers = (await response.json()) as { error?: unknown }[]
  const refused = answers.find(({ error }) => error)
  if (refused) throw new Error(`A transaction was refused: ${JSON.stringify(refused)}`)
}
