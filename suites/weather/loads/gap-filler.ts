import { type Hex, keccak256, numberToHex } from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { accountOf } from '#devnet/sdk/scene/account-of'
import { signDeposit } from './sign-deposit.ts'
import type { TrackedRequests } from './tracked-requests.ts'

/** It creates on L2 once, at the beginning, and does nothing else there. */
const SENDER = 8
const WHO = `client.${SENDER}`
const FEE = 10_000_000_000n
const TIP = 1_000_000n
const GAS = 60_000n
/** In vain, for what was sent last. */
const MOST_LOOKS = 4

/**
 * Sends on L2 the transaction after its next, and deposits from L1: a deposit takes a nonce of its sender's, so that
 * what waits has its turn in the block of the deposit; or never, where two come at once.
 */
export class GapFiller {
  readonly #world: World
  readonly #requests: TrackedRequests
  #turn: Promise<unknown> = Promise.resolve()
  #count = 0
  /** What was sent last, and how often it still waited. */
  #last: Hex | undefined
  #looks = 0

  constructor(world: World, requests: TrackedRequests) {
    this.#world = world
    this.#requests = requests
  }

  /** One after the other: each needs the nonces after the last. */
  next(): Promise<unknown> {
    const done = this.#turn.then(() => this.#next())
    this.#turn = done
    return done
  }

  async #next(): Promise<void> {
    const { facts } = this.#world
    const { address } = facts.accounts[SENDER]!
    const counts = await Promise.all(
      (['l1', 'l2'] as const).map((chain) =>
        this.#ask(chain, 'eth_getTransactionCount', [address, 'pending']),
      ),
    )
    const [onL1, onL2] = counts.map(({ result }) => Number(result)) as [number, number]
    // Not before it has created.
    if (counts.some(({ error }) => error) || onL2 === 0) return
    if (await this.#stillWaits()) return
    this.#count += 1
    this.#last = await this.#wait(onL2 + 1, BigInt(this.#count))
    if (!this.#last) return
    // Two make impossible what waits, each second time.
    for (let more = 0; more <= (this.#count + 1) % 2; more++) {
      const deposit = { client: SENDER, nonce: onL1 + more, to: address, value: 1n, mint: 1n }
      await this.#ask('l1', 'eth_sendRawTransaction', [await signDeposit(this.#world, deposit)])
    }
  }

  /** Whoever sends more tells the pool where its sender stands: what waits is left alone, unless L1 lost its deposit. */
  async #stillWaits(): Promise<boolean> {
    if (!this.#last) return false
    const { result } = await this.#ask('l2', 'eth_getTransactionReceipt', [this.#last])
    this.#looks = result ? 0 : this.#looks + 1
    return this.#looks > 0 && this.#looks < MOST_LOOKS
  }

  /** @returns its hash, where the pool has it */
  async #wait(nonce: number, value: bigint): Promise<Hex | undefined> {
    const { facts, recorder } = this.#world
    const account = accountOf(facts.accounts[SENDER]!.privateKey)
    const to = facts.accounts[0]!.address
    const raw = await account.signTransaction({
      ...{ chainId: facts.chainId, type: 'eip1559', nonce, to, value, gas: GAS },
      ...{ maxFeePerGas: FEE, maxPriorityFeePerGas: TIP },
    })
    const hash = keccak256(raw)
    recorder.record(WHO, 'transaction.signed', {
      ...{ hash, from: account.address, to, nonce, value: numberToHex(value), input: '0x' },
      ...{ maxFeePerGas: numberToHex(FEE), maxPriorityFeePerGas: numberToHex(TIP), raw },
    })
    const { result } = await this.#ask('l2', 'eth_sendRawTransaction', [raw])
    if (result) recorder.record(WHO, 'transaction.taken', { hash })
    return result ? hash : undefined
  }

  #ask(chain: 'l1' | 'l2', method: string, params: unknown[]) {
    return this.#requests.rpc(WHO, chain, method, params)
  }
}
