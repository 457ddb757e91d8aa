import {
  createWalletClient,
  custom,
  type Hex,
  keccak256,
  type LocalAccount,
  numberToHex,
} from 'viem'
import { toAccount } from 'viem/accounts'
import type { World } from '#devnet/rollup/world/world'
import { accountOf } from '#devnet/sdk/scene/account-of'
import { preconfirmationActions } from '#devnet/sdk/viem/preconfirmation-actions'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import type { Asked, TrackedRequests } from './tracked-requests.ts'
import { partsOfAnswer } from './value-reader.ts'

/** Nobody else sends with it on L2. */
const SENDER = 0
const WHO = `client.${SENDER}`
const FEE = 10_000_000_000n
const TIP = 2_000_000n

/** Sends as a dapp does that uses our actions for viem: each transaction comes back with its receipt, pre-confirmed. */
export class Confirmer {
  readonly #world: World
  readonly #requests: TrackedRequests
  /** Its own: who loads beside it draws as without it. */
  readonly #rng: Rng
  readonly #account: LocalAccount
  readonly #wallet
  #turn: Promise<unknown> = Promise.resolve()

  constructor(world: World, requests: TrackedRequests) {
    this.#world = world
    this.#requests = requests
    this.#rng = seededRng(`confirmations ${world.facts.seed}`)
    this.#account = this.#telling(accountOf(world.facts.accounts[SENDER]!.privateKey))
    const request = ({ method, params }: { method: string; params?: readonly unknown[] }) =>
      this.#answer(method, params ?? [])
    const transport = custom({ request }, { retryCount: 0 })
    this.#wallet = createWalletClient({ account: this.#account, transport }).extend(
      preconfirmationActions(),
    )
  }

  /** One after the other: each needs the nonce after the last. */
  send(): Promise<unknown> {
    const sent = this.#turn.then(() => this.#send())
    this.#turn = sent
    return sent
  }

  async #send(): Promise<void> {
    const { accounts } = this.#world.facts
    const count = await this.#ask('eth_getTransactionCount', [accounts[SENDER]!.address, 'pending'])
    if (count.error) return
    const receipt = await this.#wallet
      .sendAndPreconfirm({
        ...{
          account: this.#account,
          chain: null,
          type: 'eip1559',
          nonce: Number(count.result),
          gas: 60_000n,
        },
        ...{ maxFeePerGas: FEE, maxPriorityFeePerGas: TIP },
        to: accounts[1 + randomInt(this.#rng, accounts.length - 1)]!.address,
        value: BigInt(1 + randomInt(this.#rng, 1_000)),
      })
      // What went wrong is told by its request.
      .catch(() => undefined)
    if (!receipt) return
    const { transactionHash: hash, status, blockNumber } = receipt
    const confirmed = { hash, isDone: status === 'success', number: Number(blockNumber) }
    this.#world.recorder.record(WHO, 'confirmed', confirmed)
  }

  /** An account that tells what it signs, before anybody else can know of it. */
  #telling(own: LocalAccount): LocalAccount {
    const signTransaction: LocalAccount['signTransaction'] = async (transaction, options) => {
      const raw = await own.signTransaction(transaction, options)
      const { to = null, nonce, value = 0n, data = '0x' } = transaction
      this.#world.recorder.record(WHO, 'transaction.signed', {
        ...{ hash: keccak256(raw), from: own.address, to, nonce, value: numberToHex(value) },
        ...{ input: data, maxFeePerGas: numberToHex(FEE), maxPriorityFeePerGas: numberToHex(TIP) },
        raw,
      })
      return raw
    }
    return toAccount({ ...own, signTransaction })
  }

  async #answer(method: string, params: readonly unknown[]): Promise<unknown> {
    const { recorder } = this.#world
    const asked = recorder.now()
    const { result, error } = await this.#ask(method, params)
    if (error) throw error
    if (method === 'eth_sendRawTransactionSync' && result) {
      const hash = keccak256(params[0] as Hex)
      recorder.record(WHO, 'transaction.taken', { hash })
      const receipt = partsOfAnswer(result as Record<string, unknown>)
      recorder.record(WHO, 'receipt.seen', { hash, receipt, asked })
    }
    return result
  }

  #ask(method: string, params: readonly unknown[]): Promise<Asked> {
    return this.#requests.rpc(WHO, 'l2', method, params)
  }
}
