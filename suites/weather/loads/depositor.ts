import { type Log, numberToHex } from 'viem'
import { extractTransactionDepositedLogs, getL2TransactionHash } from 'viem/op-stack'
import type { World } from '#devnet/rollup/world/world'
import { sleep } from '#protocol/clock/clock'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import { paceOf } from '../pace-of.ts'
import { signDeposit } from './sign-deposit.ts'
import type { Asked, TrackedRequests } from './tracked-requests.ts'

/** Nobody else sends with it on L1. */
const DEPOSITOR = 9
const MINTED = 1_000_000
/**
 * Of 250 ms: five minutes. Where the clock of the sequencer was ahead, its blocks stay behind L1 by as much
 * for ever: each takes one block of L1, and L1 makes as many.
 */
const MOST_LOOKS = 1_200
/** More than any account has. */
const TOO_MUCH = 10n ** 30n

/** Sends ether from L1 to accounts on L2; every fifth deposit asks for more than its sender has. */
export class Depositor {
  readonly #world: World
  readonly #requests: TrackedRequests
  /** Its own: who loads beside it draws as without it. */
  readonly #rng: Rng
  #turn: Promise<unknown> = Promise.resolve()
  #count = 0

  constructor(world: World, requests: TrackedRequests) {
    this.#world = world
    this.#requests = requests
    this.#rng = seededRng(`deposits ${world.facts.seed}`)
  }

  /**
   * One after the other: each needs the nonce after the last.
   * @returns the hash of its transaction on L1
   */
  deposit(): Promise<Asked> {
    const sent = this.#turn.then(() => this.#send())
    this.#turn = sent
    return sent
  }

  /** Makes one and waits until it is on L2. */
  async arrives(): Promise<Error | undefined> {
    const { result, error } = await this.deposit()
    if (error) return error
    const receipt = await this.#receipt('l1', result)
    const [log] = extractTransactionDepositedLogs({ logs: (receipt?.logs ?? []) as Log[] })
    if (!log) return new Error('L1 took it and it never became part of a block.')
    // JSON-RPC has a quantity where viem counts.
    const hash = getL2TransactionHash({ log: { ...log, logIndex: Number(log.logIndex) } })
    const arrived = await this.#receipt('l2', hash)
    return arrived ? undefined : new Error('It is on L1 and never came to L2.')
  }

  async #receipt(chain: 'l1' | 'l2', hash: unknown): Promise<{ logs: unknown[] } | undefined> {
    for (let look = 0; look < MOST_LOOKS; look++) {
      const method = 'eth_getTransactionReceipt'
      const { result } = await this.#requests.rpc('depositor', chain, method, [hash])
      if (result) return result as { logs: unknown[] }
      await sleep(this.#world.clock, 250 * paceOf(this.#world))
    }
    return undefined
  }

  async #send(): Promise<Asked> {
    const { facts, recorder } = this.#world
    const { address } = facts.accounts[DEPOSITOR]!
    const count = await this.#ask('eth_getTransactionCount', [address, 'pending'])
    if (count.error) return count
    const mint = BigInt(1 + randomInt(this.#rng, MINTED))
    const to = facts.accounts[randomInt(this.#rng, facts.accounts.length)]!.address
    this.#count += 1
    const value = this.#count % 5 === 0 ? TOO_MUCH : mint
    const nonce = Number(count.result)
    const raw = await signDeposit(this.#world, { client: DEPOSITOR, nonce, to, value, mint })
    const sent = await this.#ask('eth_sendRawTransaction', [raw])
    if (sent.result) {
      recorder.record('depositor', 'deposit.sent', {
        hash: sent.result,
        to,
        mint: numberToHex(mint),
      })
    }
    return sent
  }

  #ask(method: string, params: unknown[]) {
    return this.#requests.rpc('depositor', 'l1', method, params)
  }
}
