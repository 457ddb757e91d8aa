import { Agent, request } from 'node:http'
import { bytesToHex } from '@ethereumjs/util'
import { WebSocket } from 'ws'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { proveRange } from '#devnet/proving/prover/prove-range'
import { type Clock, sleep } from '#protocol/clock/clock'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { transfer } from '#suites/system/sequencer/transfer'

export interface LoadRates {
  /** A second. */
  transactions: number
  /** A second. */
  reads: number
  subscribers: number
  /** Seconds from proof to proof. */
  proofEvery: number
}

/** Milliseconds by what was done, since they were last taken, and what failed. */
export interface Latencies {
  preconfirmed: number[]
  read: number[]
  proof: number[]
  failures: Map<string, number>
  /** Messages that subscribers got. */
  messages: number
}

/** Users of a devnet: senders, readers, subscribers, and one who wants proofs. */
export class DevnetLoad {
  readonly #devnet: DevnetDescription
  readonly #rates: LoadRates
  readonly #clock: Clock
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 })
  readonly #abort = new AbortController()
  readonly #sockets: WebSocket[] = []
  /** When a transaction was sent, until a flashblock has it. */
  readonly #waiting = new Map<string, number>()
  /** By user. */
  readonly #nonces = new Map<number, number>()
  #latencies = none()
  #running: Promise<unknown>[] = []

  constructor(devnet: DevnetDescription, rates: LoadRates, clock: Clock) {
    this.#devnet = devnet
    this.#rates = rates
    this.#clock = clock
  }

  async start(): Promise<void> {
    const { subscribers, transactions, reads } = this.#rates
    for (let i = 0; i < subscribers; i++) await this.#subscribe(i)
    this.#running = [
      this.#paced(transactions, (count) => this.#send(count)),
      this.#paced(reads, (count) => this.#read(count)),
      this.#prove(),
    ]
  }

  /** What was measured since the last call. */
  take(): Latencies {
    const taken = this.#latencies
    this.#latencies = none()
    return taken
  }

  async stop(): Promise<void> {
    this.#abort.abort(new Error('The soak is over.'))
    await Promise.all(this.#running)
    for (const socket of this.#sockets) socket.terminate()
    this.#agent.destroy()
  }

  /** So many a second, however late a turn comes; of what waits no more than a second's worth. */
  async #paced(rate: number, act: (count: number) => Promise<void>): Promise<void> {
    const { signal } = this.#abort
    const turn = 1000 / Math.min(rate, 20)
    const began = this.#clock.now()
    let count = 0
    let inFlight = 0
    while (!signal.aborted) {
      const due = Math.floor(((this.#clock.now() - began) * rate) / 1000)
      count = Math.max(count, due - rate)
      for (; count < due && inFlight < rate; count++) {
        inFlight++
        act(count)
          .catch((error) => this.#failed(error))
          .finally(() => inFlight--)
      }
      await sleep(this.#clock, turn, signal).catch(() => {})
    }
  }

  async #send(count: number): Promise<void> {
    const { accounts } = this.#devnet
    const user = count % accounts.length
    const nonce = this.#nonces.get(user) ?? 0
    this.#nonces.set(user, nonce + 1)
    const raw = transfer(user, nonce, { value: BigInt(count + 1) })
    const hash = keccak256Hex(raw)
    this.#waiting.set(hash, this.#clock.now())
    try {
      await this.#call('eth_sendRawTransaction', [bytesToHex(raw)])
    } catch (error) {
      this.#waiting.delete(hash)
      // Without it the later ones of this user would wait for ever.
      const params = [accounts[user]!.address, 'pending']
      this.#nonces.set(user, Number(await this.#call('eth_getTransactionCount', params)))
      throw error
    }
  }

  async #read(count: number): Promise<void> {
    const address = this.#devnet.accounts[count % 10]!.address
    const call = { to: '0x420000000000000000000000000000000000000f', data: '0x519b4bd3' }
    const reads: [string, unknown[]][] = [
      ['eth_getBalance', [address, 'pending']],
      ['eth_call', [call, 'latest']],
      ['eth_getBlockByNumber', ['pending', true]],
      ['eth_getLogs', [{ fromBlock: 'latest' }]],
      ['eth_getTransactionCount', [address, 'latest']],
      ['eth_estimateGas', [{ from: address, to: address, value: '0x1' }]],
      ['eth_feeHistory', ['0x5', 'latest', [50]]],
      ['eth_getBlockByNumber', ['safe', false]],
    ]
    const began = this.#clock.now()
    await this.#call(...reads[count % reads.length]!)
    this.#latencies.read.push(this.#clock.now() - began)
  }

  async #prove(): Promise<void> {
    const { signal } = this.#abort
    const { rpcUrl, l1RpcUrl, proverUrl, accounts } = this.#devnet
    const proposer = accounts[0]!.address
    while (!signal.aborted) {
      const began = this.#clock.now()
      try {
        const { number } = Object(await this.#call('eth_getBlockByNumber', ['safe', false]))
        const to = Number(number)
        if (to > 6) {
          const range = { from: to - 4, to, interval: 5 }
          const clock = this.#clock
          await proveRange({ rpcUrl, l1RpcUrl, proverUrl, proposer, ...range, clock })
          this.#latencies.proof.push(this.#clock.now() - began)
        }
      } catch (error) {
        this.#failed(error)
      }
      const rest = this.#rates.proofEvery * 1000 - (this.#clock.now() - began)
      await sleep(this.#clock, Math.max(0, rest), signal).catch(() => {})
    }
  }

  async #subscribe(index: number): Promise<void> {
    const socket = new WebSocket(this.#devnet.wsUrl)
    this.#sockets.push(socket)
    const kinds = ['newFlashblocks', 'newHeads', 'pendingLogs'] as const
    const kind = kinds[index % kinds.length]!
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve).once('error', reject)
    })
    const params = kind === 'pendingLogs' ? [kind, {}] : [kind]
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
    socket.on('message', (data) => {
      this.#latencies.messages++
      if (index === 0) this.#seen(String(data))
    })
  }

  /** The first subscriber looks in each flashblock for what was sent. */
  #seen(message: string): void {
    const now = this.#clock.now()
    for (const [, hash] of message.matchAll(/"(0x[0-9a-f]{64})"/g)) {
      const began = this.#waiting.get(hash!)
      if (began === undefined) continue
      this.#waiting.delete(hash!)
      this.#latencies.preconfirmed.push(now - began)
    }
  }

  #failed(error: unknown): void {
    if (this.#abort.signal.aborted) return
    const why = String(Object(error).code ?? Object(error).message ?? error).slice(0, 80)
    const { failures } = this.#latencies
    failures.set(why, (failures.get(why) ?? 0) + 1)
  }

  #call(method: string, params: unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const call = request(this.#devnet.rpcUrl, { method: 'POST', agent: this.#agent, headers })
      call.on('error', reject)
      call.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => {
          const { result, error } = JSON.parse(text)
          if (error) reject(new Error(`${method}: ${error.message}`))
          else resolve(result)
        })
      })
      call.end(body)
    })
  }
}

function none(): Latencies {
  return { preconfirmed: [], read: [], proof: [], failures: new Map(), messages: 0 }
}
