import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { allFences } from './fences.ts'

/** What a reader does with a page, from the first command to the last. */
export interface PageSession {
  /** Blocks of code, in the order in which they are typed. */
  fences: readonly string[]
  /** Commands that are typed elsewhere, and why. */
  without?: Readonly<Record<string, string>>
  /** Typed before, where the page takes a devnet as given. */
  first?: string
  /** Fills the folder with what the page takes as given. */
  prepare?(folder: string): void
  /**
   * Asks for what the page promises, when all was typed.
   * @param before what this returned the time before, in the same folder
   * @returns what must be there the next time
   */
  promise(played: Played, before: unknown): Promise<unknown>
  /** `change`: with every `npm test`; `night`: it takes too long for that. */
  when: 'change' | 'night'
}

export interface Played {
  devnet: DevnetDescription
  folder: string
  /** What the commands printed, without `rollbed up`. */
  output: string
}

const WALLET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BEEF = '0x000000000000000000000000000000000000bEEF'

export const PAGE_SESSIONS: Readonly<Record<string, PageSession>> = {
  'a devnet that goes on': {
    fences: ['state-1'],
    when: 'change',
    async promise({ devnet }, before) {
      await untilSealed(devnet)
      const { hash } = Object(await rpc(devnet, 'eth_getBlockByNumber', ['0x1', false]))
      check(hash, 'no block 1')
      const { status, body } = await register(devnet)
      const kept = { hash, body }
      check(before ? same(before, kept) : status === 201, { before, kept, status })
      // What a wallet was told once it is told again, and not for the first time.
      if (before) check(status === 200, { status })
      return kept
    },
  },
  'the state as a file': {
    fences: ['state-2'],
    when: 'change',
    async promise({ devnet, folder, output }) {
      const states = [...output.matchAll(/state (0x[0-9a-f]{64})/g)].map(([, state]) => state)
      check(states.length === 2 && states[0] === states[1], { output })
      check(existsSync(join(folder, 'pod.state')), { folder })
      const balance = await rpc(devnet, 'eth_getBalance', [WALLET, 'latest'])
      check(BigInt(String(balance)) === 10_000n * 10n ** 18n, { balance })
    },
  },
  'in sixty seconds': {
    fences: ['quick-start-1', 'quick-start-2'],
    without: { 'npm install': 'suites/house/package/run-scratch-projects.ts' },
    when: 'night',
    async promise({ devnet, output }) {
      const balance = await rpc(devnet, 'eth_getBalance', [BEEF, 'latest'])
      check(BigInt(String(balance)) === 5n * 10n ** 18n, { balance })
      check(output.includes('aggregate_proposal'), { output })
    },
  },
  'a proof of any range': {
    fences: ['README-5'],
    when: 'night',
    promise: async ({ output }) => check(output.includes('aggregate_proposal'), { output }),
  },
  'a builder code': {
    fences: ['builder-code-api-1'],
    first: 'rollbed up',
    when: 'change',
    async promise({ devnet, output }) {
      const { status, body } = await register(devnet)
      check(/"builderCode":"bc_[a-z0-9]{8}"/.test(output), { output })
      check(status === 200 && output.includes(body.builderCode), { status, body, output })
    },
  },
  'another origin': {
    fences: ['access-1'],
    when: 'change',
    async promise({ devnet }) {
      const origin = 'https://my-dapp-git-main.example'
      const preflight = {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      }
      const { headers } = await fetch(devnet.rpcUrl, preflight)
      check(headers.get('access-control-allow-origin') === origin, [...headers])
    },
  },
  'contracts by name': {
    fences: ['explorer-2'],
    prepare(folder) {
      for (const name of ['out', 'artifacts']) mkdirSync(join(folder, name), { recursive: true })
    },
    when: 'night',
    async promise({ devnet }) {
      check((await fetch(devnet.dashboardUrl)).ok, devnet.dashboardUrl)
    },
  },
  'faults on request': {
    fences: ['faults-1'],
    prepare(folder) {
      const plan = allFences().find(({ name }) => name === 'faults-6')!
      writeFileSync(join(folder, 'plan.json'), plan.text)
    },
    when: 'night',
    promise: async ({ output }) => check(!/error|refused/i.test(output), { output }),
  },
  situations: {
    fences: ['scenarios-1'],
    when: 'night',
    promise: async ({ output }) =>
      check(
        output.includes('"scenario":"bad-root-last"') && output.includes('time-passes'),
        output,
      ),
  },
}

async function register({ apiUrl }: DevnetDescription) {
  const body = JSON.stringify({ walletAddress: WALLET })
  const headers = { 'content-type': 'application/json' }
  const url = `${apiUrl}/v1/agents/builder-codes`
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, body: (await response.json()) as { builderCode: string } }
}

/** Until the next block: a devnet is ready before its first. */
async function untilSealed({ wsUrl }: DevnetDescription): Promise<void> {
  const socket = new WebSocket(wsUrl)
  await once(socket, 'open')
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  // The answer to the subscription, then the head.
  await once(socket, 'message')
  await once(socket, 'message')
  socket.terminate()
}

async function rpc({ rpcUrl }: DevnetDescription, method: string, params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(rpcUrl, { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as { result: unknown; error?: unknown }
  check(error === undefined, { method, error })
  return result
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function check(holds: unknown, what: unknown): void {
  if (!holds) throw new Error(`What the page promises is not so: ${JSON.stringify(what)}`)
}
