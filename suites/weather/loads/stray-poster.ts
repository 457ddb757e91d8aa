import { concatHex, type Hex, hexToNumber, keccak256, numberToHex, slice, toHex } from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { accountOf } from '#devnet/sdk/scene/account-of'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import { postedSingular, type SingularBatch } from '../model/posted-singular.ts'
import type { TrackedRequests } from './tracked-requests.ts'

const WHO = 'stray'
/** Sends nothing else on L1. */
const STRANGER = 6
/** Wei per gas: L1 never asks for more, and whatever the batcher sends comes first. */
const MOST_FEE = 10_000_000_000_000n
const TIP = 1n
const GAS = 2_000_000n
const NOBODY = keccak256('0x57')

interface Stray {
  about: string
  data: Hex
  isStranger?: boolean
}

/**
 * Posts to the inbox of L1 what makes no block of L2: what is no batch, batches that do not fit, by the batcher's own
 * key, and one that would fit, by somebody who has not that key.
 */
export class StrayPoster {
  readonly #world: World
  readonly #requests: TrackedRequests
  /** Its own: who loads beside it draws as without it. */
  readonly #rng: Rng
  #count = 0

  constructor(world: World, requests: TrackedRequests) {
    this.#world = world
    this.#requests = requests
    this.#rng = seededRng(`strays ${world.facts.seed}`)
  }

  /** One of them. */
  async post(): Promise<void> {
    const { facts, rollupConfig, recorder } = this.#world
    const next = await this.#nextBatch()
    if (!next) return
    this.#count += 1
    const strays = this.#strays(next)
    const { about, data, isStranger } = strays[randomInt(this.#rng, strays.length)]!
    const key = isStranger ? facts.accounts[STRANGER]! : roleKeys.batcher
    const asked = [key.address, 'pending']
    const { result } = await this.#ask('l1', 'eth_getTransactionCount', asked)
    if (result === undefined) return
    const raw = await accountOf(key.privateKey).signTransaction({
      ...{ chainId: facts.l1ChainId, type: 'eip1559', nonce: Number(result), gas: GAS },
      ...{ maxFeePerGas: MOST_FEE, maxPriorityFeePerGas: TIP },
      ...{ to: rollupConfig.batchInboxAddress, data },
    })
    recorder.record(WHO, 'stray.sent', { about })
    await this.#ask('l1', 'eth_sendRawTransaction', [raw])
  }

  /** A batch of the block after the newest, without transactions: it would fit. */
  async #nextBatch(): Promise<SingularBatch | undefined> {
    const { result } = await this.#ask('l2', 'eth_getBlockByNumber', ['latest', true])
    const { hash, timestamp, transactions } = Object(result) as {
      hash?: Hex
      timestamp?: Hex
      transactions?: { input: Hex }[]
    }
    const input = transactions?.[0]?.input
    if (!hash || !timestamp || !input) return undefined
    return {
      parent: hash,
      time: Number(timestamp) + this.#world.rollupConfig.blockTime,
      // OP specification, Ecotone and later: packed after a selector of four bytes.
      epoch: hexToNumber(slice(input, 28, 36)),
      epochHash: slice(input, 100, 132),
    }
  }

  #strays(next: SingularBatch): Stray[] {
    const batch = (about: string, more: Partial<SingularBatch>): Stray => ({
      ...{ about, data: postedSingular(this.#channel(), [{ ...next, ...more }]) },
    })
    const fits = postedSingular(this.#channel(), [next])
    const { blockTime } = this.#world.rollupConfig
    return [
      { about: 'a batch of somebody else', data: fits, isStranger: true },
      { about: 'another version', data: `0x01${fits.slice(4)}` },
      { about: 'half a frame', data: slice(fits, 0, 60) },
      { about: 'bytes', data: toHex(this.#rng.bytes(40)) },
      { about: 'a frame that is not next', data: withFrame(fits, { number: 1 }) },
      { about: 'a channel that is not closed', data: withFrame(fits, { isLast: false }) },
      {
        about: 'a gap in a channel',
        data: concatHex([
          withFrame(fits, { isLast: false }),
          slice(withFrame(fits, { number: 2 }), 1),
        ]),
      },
      {
        about: 'what would fit behind what does not',
        data: postedSingular(this.#channel(), [{ ...next, parent: NOBODY }, next]),
      },
      batch('another parent', { parent: NOBODY }),
      batch('a second before', { time: next.time - blockTime }),
      batch('a time that is to come', { time: next.time + 3 * blockTime }),
      batch('no time of a block', { time: next.time + 1 }),
      batch('another origin', { epochHash: NOBODY }),
      batch('an origin too far', { epoch: next.epoch + 2 }),
    ]
  }

  #channel(): Hex {
    return numberToHex(BigInt(keccak256(toHex(`stray ${this.#count}`))) >> 128n, { size: 16 })
  }

  #ask(chain: 'l1' | 'l2', method: string, params: unknown[]) {
    return this.#requests.rpc(WHO, chain, method, params)
  }
}

/** The same call data with another number in its frame, or with a frame that is not the last. */
function withFrame(
  data: Hex,
  { number = 0, isLast = true }: { number?: number; isLast?: boolean },
) {
  const [before, rest] = [slice(data, 0, 17), slice(data, 19, -1)]
  return concatHex([before, numberToHex(number, { size: 2 }), rest, isLast ? '0x01' : '0x00'])
}
