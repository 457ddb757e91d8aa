import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { endWithParent } from '#devnet/base/process/end-with-parent'
import { l1ChainId } from '#fixtures/chain/constants'
import { type Rng, randomInt } from '#protocol/random/rng'
import type { Hash, Hex } from '#protocol/types/bytes'
import { ROLLBED } from '../end-to-end/rollbed-process.ts'

/** Gets one wei by every transfer. */
export const RECEIVER: Hex = '0x00000000000000000000000000000000000000aa'
/** Stores the block's number in the slot that it is told. */
const WRITER = '0x64435f3555005f526005601bf3'
const USERS = 3
/** Milliseconds, the longest that the node takes: a busy machine needs more than its two seconds. */
const SYNC_TIMEOUT = 6_000

/** What users saw of a devnet: it must be there after a kill. */
export interface Seen {
  l2: Map<number, Hash>
  l1: Map<number, Hash>
  /** The block of each transaction. */
  transactions: Map<Hash, Hash>
  /** Builder codes by wallet. */
  codes: Map<Hex, string>
  /** The contract that writes. */
  writer?: Hex
}

/** `rollbed up --state`, with users who keep it busy and remember what they saw. */
export class KilledDevnet {
  readonly description: DevnetDescription
  readonly l1: RpcClient
  readonly l2: RpcClient
  readonly #child: ChildProcess
  readonly #seen: Seen
  readonly #rng: Rng
  readonly #sockets: WebSocket[] = []
  readonly #users: Promise<void>[] = []
  #isOver = false

  constructor(child: ChildProcess, description: DevnetDescription, seen: Seen, rng: Rng) {
    this.#child = child
    this.description = description
    this.#seen = seen
    this.#rng = rng
    this.l1 = httpRpcClient(description.l1RpcUrl)
    this.l2 = httpRpcClient(description.rpcUrl)
  }

  /** Users begin to send; resolves when a transaction was seen sealed, and a code registered. */
  async putUnderLoad(): Promise<void> {
    const { wsUrl, l1RpcUrl } = this.description
    await this.#watch(wsUrl, async ({ number, hash }) => {
      this.#seen.l2.set(Number(number), hash)
      const block = await this.l2.request('eth_getBlockByHash', [hash, false])
      for (const each of (block as { transactions: Hash[] }).transactions) {
        this.#seen.transactions.set(each, hash)
      }
    })
    await this.#watch(l1RpcUrl.replace('http', 'ws'), async ({ number, hash }) => {
      this.#seen.l1.set(Number(number), hash)
    })
    await this.#makeWriter()
    for (let user = 0; user < USERS; user++) this.#users.push(this.#send(user))
    this.#users.push(this.#sendOnL1(), this.#register())
    const { transactions, codes } = this.#seen
    const users = Promise.all(this.#users)
    users.catch(() => {})
    // One that fails ends the wait.
    while (transactions.size === 0 || codes.size === 0)
      await Promise.race([this.after(0, 1), users])
  }

  /** Resolves at the n-th sealed block from now, and so many flashblocks later; rejects when it is gone. */
  async after(blocks: number, flashblocks: number): Promise<void> {
    const socket = await this.#open(this.description.wsUrl)
    const names = new Map<string, string>()
    let [sealed, built] = [0, 0]
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    socket.on('close', () => reject(new Error('The devnet is gone.')))
    socket.on('message', (data) => {
      const { id, result, params } = JSON.parse(String(data))
      if (id) names.set(result, id)
      const name = names.get(params?.subscription)
      if (name === 'newHeads') sealed += 1
      if (name === 'newFlashblocks' && sealed >= blocks) built += 1
      if (sealed >= blocks && built >= flashblocks) resolve()
    })
    for (const name of ['newHeads', 'newFlashblocks']) {
      const request = { jsonrpc: '2.0', id: name, method: 'eth_subscribe', params: [name] }
      socket.send(JSON.stringify(request))
    }
    try {
      await promise
    } finally {
      socket.terminate()
    }
  }

  /** `kill -9` of the devnet's own process; its children are to go by themselves. */
  async kill(): Promise<void> {
    this.#isOver = true
    const closed = once(this.#child, 'close')
    this.#child.kill('SIGKILL')
    // The pipe that anvil inherits closes when the last of them is gone.
    await closed
    for (const socket of this.#sockets) socket.terminate()
    await Promise.all(this.#users)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    const closed = once(this.#child, 'close')
    this.#child.kill('SIGINT')
    await closed
    for (const socket of this.#sockets) socket.terminate()
    await Promise.all(this.#users)
  }

  async #open(url: string): Promise<WebSocket> {
    const socket = new WebSocket(url)
    this.#sockets.push(socket)
    socket.on('error', () => {})
    await once(socket, 'open')
    return socket
  }

  async #watch(url: string, onHead: (head: { number: Hex; hash: Hash }) => Promise<void>) {
    const socket = await this.#open(url)
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
    await once(socket, 'message')
    socket.on('message', (data) => {
      onHead(JSON.parse(String(data)).params.result).catch(() => {})
    })
  }

  async #makeWriter(): Promise<void> {
    if (this.#seen.writer) return
    const hash = await this.l2.request('eth_sendRawTransaction', [
      await this.#sign(USERS, await this.#nonce(this.l2, USERS), { data: WRITER }),
    ])
    let receipt: unknown
    while (!receipt) {
      await this.after(1, 0)
      receipt = await this.l2.request('eth_getTransactionReceipt', [hash])
    }
    this.#seen.writer = (receipt as { contractAddress: Hex }).contractAddress
  }

  /** One transaction after the other, until the devnet is gone. */
  async #send(user: number): Promise<void> {
    try {
      for (let nonce = await this.#nonce(this.l2, user); !this.#isOver; nonce++) {
        const slot: Hex = `0x${nonce.toString(16).padStart(64, '0')}`
        const call =
          user === 0 ? { to: this.#seen.writer!, data: slot } : { to: RECEIVER, value: 1n }
        const raw = await this.#sign(user, nonce, call)
        await this.l2.request('eth_sendRawTransactionSync', [raw, SYNC_TIMEOUT])
      }
    } catch (error) {
      if (!this.#isOver) throw error
    }
  }

  /** What can be mined again, and now and then what cannot: an unlocked account, a cheat. */
  async #sendOnL1(): Promise<void> {
    try {
      for (let round = 0; !this.#isOver; round++) {
        const raw = await this.#sign(
          5,
          await this.#nonce(this.l1, 5),
          { to: RECEIVER, value: 1n },
          l1ChainId,
        )
        await this.l1.request('eth_sendRawTransaction', [raw])
        const from = this.description.accounts[6]!.address
        if (randomInt(this.#rng, 4) === 0) {
          await this.l1.request('eth_sendTransaction', [{ from, to: RECEIVER, value: '0x1' }])
        }
        if (randomInt(this.#rng, 8) === 0) {
          await this.l1.request('anvil_setBalance', [RECEIVER, `0x${(round + 1).toString(16)}0000`])
        }
        await this.after(1, 0)
      }
    } catch (error) {
      if (!this.#isOver) throw error
    }
  }

  async #register(): Promise<void> {
    try {
      while (!this.#isOver) {
        const walletAddress: Hex = `0x${Buffer.from(this.#rng.bytes(20)).toString('hex')}`
        const { builderCode } = await registerCode(this.description.apiUrl, walletAddress)
        this.#seen.codes.set(walletAddress, builderCode)
        await this.after(0, 2)
      }
    } catch (error) {
      if (!this.#isOver) throw error
    }
  }

  async #nonce(chain: RpcClient, user: number): Promise<number> {
    const { address } = this.description.accounts[user]!
    return Number(await chain.request('eth_getTransactionCount', [address, 'pending']))
  }

  #sign(user: number, nonce: number, call: object, chainId = this.description.chainId) {
    return privateKeyToAccount(this.description.accounts[user]!.privateKey).signTransaction({
      ...{ type: 'eip1559', chainId, nonce, gas: 200_000n },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 6n },
      ...call,
    })
  }
}

/** Starts it in this folder, new or left by one that was killed. */
export async function startKilledDevnet(
  folder: string,
  seen: Seen,
  rng: Rng,
  flags: readonly string[] = [],
): Promise<KilledDevnet> {
  const args = ['up', '--state', folder, '--json', '--port-base', '0', '--enclaves', 'none']
  const child = spawn(ROLLBED, [...args, '--block-time', '1', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  void endWithParent(child)
  const complaints = text(child.stderr!)
  const line = await firstLine(child)
  if (line === undefined) throw new Error(`It did not start: ${await complaints}`)
  return new KilledDevnet(child, JSON.parse(line), seen, rng)
}

export async function registerCode(apiUrl: string, walletAddress: Hex) {
  const answer = await fetch(`${apiUrl}/v1/agents/builder-codes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress }),
  })
  return (await answer.json()) as { builderCode: string }
}

/** Undefined where it ends without one. */
export async function firstLine({ stdout }: ChildProcess): Promise<string | undefined> {
  let read = ''
  for await (const chunk of stdout!.iterator({ destroyOnReturn: false })) {
    read += chunk
    if (read.includes('\n')) return read.slice(0, read.indexOf('\n'))
  }
  return undefined
}
