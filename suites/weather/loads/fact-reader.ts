import { getContractAddress, type Hex, numberToHex, pad, toEventSelector } from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import { digestOf } from '../model/digest-of.ts'
import { MESSAGE_PASSER } from '../model/predeploys.ts'
import type { TrackedRequests } from './tracked-requests.ts'

const WHO = 'asker'
const PASSED = toEventSelector(
  'MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)',
)
/** Its account withdraws; and whose first creation is the contract that logs. */
const [WITHDRAWS, DEPLOYS] = [7, 8]
/** The first blocks have most of what is asked for by its place. */
const PLACES = 6

/** What a filter was installed for, and its id at the node. */
interface Installed {
  id: string
  who: string
}

/** Asks for what other loads do not: places, prices, code, heads that are safe, filters; and tells who judges it. */
export class FactReader {
  readonly #world: World
  readonly #requests: TrackedRequests
  /** Its own: who loads beside it draws as without it. */
  readonly #rng: Rng
  /** What came later draws by itself. */
  readonly #more: Rng
  readonly #sent: () => readonly Hex[]
  #filter: Installed | undefined
  #filters = 0

  /** @param sent hashes of what was sent so far */
  constructor(world: World, requests: TrackedRequests, sent: () => readonly Hex[]) {
    this.#world = world
    this.#requests = requests
    this.#sent = sent
    this.#rng = seededRng(`facts ${world.facts.seed}`)
    this.#more = seededRng(`more facts ${world.facts.seed}`)
  }

  /** Some blocks of before with all that is in them. */
  async readAgain(count: number): Promise<void> {
    const { result } = await this.#ask('eth_blockNumber', [])
    if (result === undefined) return
    for (let turn = 0; turn < count; turn++) {
      const number = numberToHex(randomInt(this.#more, 1 + Number(result)))
      const block = await this.#ask('eth_getBlockByNumber', [number, true])
      const hash = Object(block.result).hash as Hex | undefined
      const asked = [{ blockHash: hash }]
      const receipts = hash ? await this.#ask('eth_getBlockReceipts', asked) : undefined
      if (!receipts?.result) continue
      const digest = digestOf(block.result, receipts.result)
      this.#world.recorder.record(WHO, 'l2.again', { hash, number: Number(number), digest })
    }
  }

  /** All that the node has dropped. */
  async drops(): Promise<void> {
    await this.#tell('drops.seen', 'rollbed_drops', [], (result) => ({
      drops: (result as { drops: Record<string, unknown>[] }).drops.map(({ hash, code }) => ({
        ...{ hash, code },
      })),
    }))
  }

  /** One question of any kind. */
  async read(): Promise<void> {
    if (randomInt(this.#more, 4) === 0) await this.readAgain(1)
    await this.#any([
      () => this.#price(),
      () => this.#status(),
      () => this.#place(),
      () => this.#marked(),
      () => this.#ofBlock(),
      () => this.#code(),
      () => this.#sync(),
      () => this.#byTopics(),
      () => this.#changes(),
      () => this.#changes(),
    ])()
  }

  #any<T>(all: readonly T[]): T {
    return all[randomInt(this.#rng, all.length)]!
  }

  async #price(): Promise<void> {
    await this.#tell('price.seen', 'eth_gasPrice', [], (price) => ({ price }))
  }

  async #status(): Promise<void> {
    const hashes = this.#sent()
    if (hashes.length === 0) return
    const hash = this.#any(hashes)
    await this.#tell('status.seen', 'base_transactionStatus', [hash], (result) => ({
      ...{ hash, status: Object(result).status },
    }))
  }

  async #place(): Promise<void> {
    const [number, index] = [randomInt(this.#rng, PLACES), randomInt(this.#rng, 3)]
    const place = [number, index].map((each) => numberToHex(each))
    const method = 'eth_getTransactionByBlockNumberAndIndex'
    await this.#tell('place.seen', method, place, (result) => {
      const { hash, gasPrice } = Object(result)
      return { number, index, hash, gasPrice }
    })
  }

  /** What somebody has in the newest block that is safe, or final. */
  async #marked(): Promise<void> {
    await this.#balance(this.#any(['safe', 'finalized']))
  }

  /** What somebody has in a block that is named by its hash. */
  async #ofBlock(): Promise<void> {
    const asked = [this.#any(['safe', 'latest']), false]
    const { result } = await this.#ask('eth_getBlockByNumber', asked)
    if (result) await this.#balance(String(Object(result).hash))
  }

  /** @param at a tag, or the hash of a block */
  async #balance(at: string): Promise<void> {
    const { address } = this.#any(this.#world.facts.accounts)
    const block = at.length === 66 ? { blockHash: at } : at
    const about = { kind: 'balance', address, at }
    await this.#tell('value.seen', 'eth_getBalance', [address, block], (value) => ({
      ...about,
      value,
    }))
  }

  async #code(): Promise<void> {
    const from = this.#world.facts.accounts[DEPLOYS]!.address
    const address = getContractAddress({ from, nonce: 0n })
    const at = this.#any(['latest', '0x0', '0x3', 'pending'])
    const about = { kind: 'code', address, at }
    await this.#tell('value.seen', 'eth_getCode', [address, at], (code) => ({
      ...about,
      value: numberToHex(code === '0x' ? 0 : 1),
    }))
  }

  async #sync(): Promise<void> {
    const asked = this.#world.recorder.now()
    const method = 'optimism_syncStatus'
    const { result } = await this.#requests.rpc(WHO, 'rollup', method, [])
    if (!result) return
    const { unsafe_l2, safe_l2, finalized_l2 } = result as Record<string, { hash: Hex }>
    const [latest, safe, finalized] = [unsafe_l2, safe_l2, finalized_l2].map((each) => each?.hash)
    this.#world.recorder.record(WHO, 'sync.seen', { latest, safe, finalized, asked })
  }

  /** Withdrawals by whose they are: of one who has some, and of one who has none. */
  async #byTopics(): Promise<void> {
    const owner = this.#world.facts.accounts[this.#any([WITHDRAWS, DEPLOYS])]!.address
    const topics = [PASSED, null, pad(owner)]
    const range = { from: '0x1', to: 'latest', address: MESSAGE_PASSER, topics }
    const filter = { fromBlock: range.from, toBlock: range.to, address: range.address, topics }
    await this.#tell('range.seen', 'eth_getLogs', [filter], (result) => ({
      ...range,
      logs: (result as Record<string, Hex>[]).map(({ blockNumber, transactionHash, logIndex }) => ({
        ...{ block: Number(blockNumber), transaction: transactionHash, index: Number(logIndex) },
      })),
    }))
  }

  /** As who polls: what is not told once more is lost, so a filter whose answer did not come is left for another. */
  async #changes(): Promise<void> {
    const { recorder } = this.#world
    if (!this.#filter) {
      const who = `${WHO}.${this.#filters++}`
      // The first is of withdrawals alone.
      const filter = this.#filters % 2 === 1 ? { address: MESSAGE_PASSER } : {}
      const { result } = await this.#ask('eth_newFilter', [filter])
      if (!result) return
      this.#filter = { id: String(result), who }
      recorder.record(who, 'stream.opened', { kind: 'logFilter', filter })
      return
    }
    const { id, who } = this.#filter
    const { result } = await this.#ask('eth_getFilterChanges', [id])
    if (!result) {
      this.#filter = undefined
      recorder.record(who, 'stream.closed', { reason: 'It was not answered.' })
      return
    }
    for (const { blockHash, logIndex, removed, address, topics, data } of result as object[] &
      Record<string, unknown>[]) {
      const key = `${blockHash} ${Number(logIndex)} ${removed === true}`
      recorder.record(who, 'stream.message', {
        ...{ kind: 'logFilter', key, log: { address, topics, data } },
      })
    }
    recorder.record(who, 'stream.polled', { kind: 'logFilter' })
  }

  async #tell(
    what: string,
    method: string,
    params: readonly unknown[],
    read: (result: unknown) => Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const asked = this.#world.recorder.now()
    const { result } = await this.#ask(method, params)
    if (result !== undefined) this.#world.recorder.record(WHO, what, { ...read(result), asked })
  }

  #ask(method: string, params: readonly unknown[]) {
    return this.#requests.rpc(WHO, 'l2', method, params)
  }
}
