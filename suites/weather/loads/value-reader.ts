import { type Hex, numberToHex } from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import { L1_BLOCK, MESSAGE_PASSER } from '../model/predeploys.ts'
import { partsOfReceipt } from './chain-reader.ts'
import type { TrackedRequests } from './tracked-requests.ts'

const predeploy = (last: number) => numberToHex((0x4200n << 144n) + BigInt(last), { size: 20 })

/** OP specification, predeploys: SequencerFeeVault, BaseFeeVault, L1FeeVault. */
const VAULTS = [0x11, 0x19, 0x1a].map(predeploy)
const TAGS = ['latest', 'pending', '0x1', 'latest', 'pending'] as const

/** Slots, and functions without arguments, of which the specification says what they hold. */
const SLOTS: readonly (readonly [Hex, Hex])[] = [
  [L1_BLOCK, '0x0'],
  [MESSAGE_PASSER, '0x1'],
  [L1_BLOCK, '0x3'],
  [L1_BLOCK, '0x2'],
]
const VIEWS: readonly (readonly [Hex, Hex])[] = [
  [L1_BLOCK, '0x8381f58a'],
  [MESSAGE_PASSER, '0xecc70428'],
  [L1_BLOCK, '0x64ca23ef'],
  [L1_BLOCK, '0x09bd5a60'],
]
/** What only a chain with Denim has: others are asked as before it. */
const BASE_TIME = predeploy(0x30)
const FAST_SLOTS: typeof SLOTS = [...SLOTS, [BASE_TIME, '0x0']]
/** timestampMillisPart() */
const FAST_VIEWS: typeof SLOTS = [...VIEWS, [BASE_TIME, '0x7b2fea99']]

/** The last four blocks, and in each the tips that the least and the last of its gas pays. */
const FEES = ['0x4', 'latest', [0, 100]]

interface Range {
  from: string
  to: string
  address?: Hex
}

const RANGES: readonly Range[] = [
  { from: 'latest', to: 'pending' },
  { from: '0x1', to: 'latest', address: MESSAGE_PASSER },
  { from: 'latest', to: 'latest' },
  { from: '0x1', to: 'pending' },
]

/** Asks for any of what a ledger can know, and tells what was answered to whoever judges it. */
export class ValueReader {
  readonly #world: World
  readonly #requests: TrackedRequests
  /** Its own: who loads beside it draws as without it. */
  readonly #rng: Rng
  readonly #others: Rng
  readonly #hasDenim: boolean

  readonly #sent: () => readonly Hex[]

  /** @param sent hashes of what was sent so far */
  constructor(world: World, requests: TrackedRequests, sent: () => readonly Hex[]) {
    this.#world = world
    this.#requests = requests
    this.#sent = sent
    this.#rng = seededRng(`values ${world.facts.seed}`)
    this.#others = seededRng(`answers ${world.facts.seed}`)
    this.#hasDenim = (world.rollupConfig.upgrades?.denim ?? 'never') !== 'never'
  }

  /** One question of any kind; with every third one more, of which the answer names its block. */
  async read(index: number): Promise<unknown> {
    const who = `client.${index % 3}`
    const more = [() => this.#receipt(who), () => this.#proof(who)]
    if (index % 3 === 2) await more[randomInt(this.#others, more.length)]!()
    const { accounts } = this.#world.facts
    const [from, to] = [this.#any(accounts).address, accounts[0]!.address]
    return await this.#any([
      () => this.#account(who),
      () => this.#contract(who),
      () => this.#call(who),
      () => this.#simulate(who),
      () => this.#logs(who),
      () => this.#estimate(who, { from, to, value: '0x1' }),
      () => this.#fees(who),
    ])()
  }

  /** What the newest block commits to of everybody who is paid or pays. */
  async proveAll(): Promise<void> {
    const owned = this.#world.facts.accounts.map(({ address }) => address)
    const slot = numberToHex(0, { size: 32 })
    for (const address of [...VAULTS, ...owned]) {
      const about = { address, isContract: VAULTS.includes(address), slot, at: 'latest' }
      await this.#prove('client.0', about)
    }
  }

  #any<T>(all: readonly T[]): T {
    return all[randomInt(this.#rng, all.length)]!
  }

  #other<T>(all: readonly T[]): T {
    return all[randomInt(this.#others, all.length)]!
  }

  /** What somebody has. */
  async #account(who: string): Promise<void> {
    const owned = this.#world.facts.accounts.map((each) => each.address)
    if (this.#any([true, false, false, false])) {
      // The nonce of a contract says nothing of what it did.
      const address = this.#any(owned)
      const method = 'eth_getTransactionCount'
      return await this.#tell(who, { kind: 'nonce', address }, (at) => [method, [address, at]])
    }
    const address = this.#any([...VAULTS, MESSAGE_PASSER, ...owned])
    const method = 'eth_getBalance'
    await this.#tell(who, { kind: 'balance', address }, (at) => [method, [address, at]])
  }

  /** What a contract keeps. */
  async #contract(who: string): Promise<void> {
    const [address, input] = this.#any(this.#hasDenim ? FAST_SLOTS : SLOTS)
    const kept = { kind: 'storage', address, input }
    await this.#tell(who, kept, (at) => ['eth_getStorageAt', [address, input, at]])
  }

  async #call(who: string): Promise<void> {
    const [to, input] = this.#any(this.#hasDenim ? FAST_VIEWS : VIEWS)
    const call = { kind: 'call', address: to, input }
    await this.#tell(who, call, (at) => ['eth_call', [{ to, input }, at]])
  }

  async #simulate(who: string): Promise<void> {
    const [to, input] = this.#any(VIEWS)
    const call = { kind: 'call', address: to, input }
    const payload = { blockStateCalls: [{ calls: [{ to, input }] }] }
    await this.#tell(
      who,
      call,
      (at) => ['eth_simulateV1', [payload, at]],
      (result) => (result as { calls: { returnData: Hex }[] }[])[0]?.calls[0]?.returnData,
    )
  }

  async #tell(
    who: string,
    what: Readonly<Record<string, unknown>>,
    question: (at: string) => [method: string, params: unknown[]],
    read: (result: unknown) => unknown = (result) => result,
  ): Promise<void> {
    const at = this.#any(TAGS)
    const asked = this.#world.recorder.now()
    const { result } = await this.#requests.rpc(who, 'l2', ...question(at))
    if (result === undefined) return
    this.#world.recorder.record(who, 'value.seen', { ...what, at, value: read(result), asked })
  }

  /** Of who moves ether to an account without code. */
  async #estimate(who: string, transfer: object): Promise<void> {
    const { result } = await this.#requests.rpc(who, 'l2', 'eth_estimateGas', [transfer])
    if (result !== undefined) this.#world.recorder.record(who, 'estimate.seen', { gas: result })
  }

  async #fees(who: string): Promise<void> {
    const asked = this.#world.recorder.now()
    const { result } = await this.#requests.rpc(who, 'l2', 'eth_feeHistory', FEES)
    if (result === undefined) return
    const { oldestBlock, baseFeePerGas, gasUsedRatio, reward } = Object(result)
    this.#world.recorder.record(who, 'fees.seen', {
      ...{ oldest: Number(oldestBlock), base: baseFeePerGas, ratios: gasUsedRatio, reward, asked },
    })
  }

  /** Of what anybody sent. */
  async #receipt(who: string): Promise<void> {
    const hashes = this.#sent()
    if (hashes.length === 0) return
    const hash = this.#other(hashes)
    const asked = this.#world.recorder.now()
    const method = 'eth_getTransactionReceipt'
    const { result } = await this.#requests.rpc(who, 'l2', method, [hash])
    if (result === undefined) return
    const receipt = result && partsOfAnswer(result as Record<string, unknown>)
    this.#world.recorder.record(who, 'receipt.seen', { hash, receipt, asked })
  }

  async #proof(who: string): Promise<void> {
    const owned = this.#world.facts.accounts.map((each) => each.address)
    const isContract = this.#other([true, false])
    const address = isContract ? this.#other<Hex>([MESSAGE_PASSER, L1_BLOCK]) : this.#other(owned)
    const slot = numberToHex(this.#other([0, 1, 2, 3]), { size: 32 })
    const at = this.#other(['latest', '0x1', '0x3'])
    await this.#prove(who, { address, isContract, slot, at })
  }

  async #prove(
    who: string,
    about: { address: Hex; isContract: boolean; slot: Hex; at: string },
  ): Promise<void> {
    const { address, slot, at } = about
    const asked = this.#world.recorder.now()
    const { result } = await this.#requests.rpc(who, 'l2', 'eth_getProof', [address, [slot], at])
    if (!result) return
    const { accountProof, storageProof } = result as {
      accountProof: Hex[]
      storageProof: { proof: Hex[] }[]
    }
    const shown = { account: accountProof, storage: storageProof[0]?.proof ?? [] }
    this.#world.recorder.record(who, 'proof.seen', { ...about, asked, ...shown })
  }

  async #logs(who: string): Promise<void> {
    const { from, to, ...by } = this.#any(RANGES)
    const asked = this.#world.recorder.now()
    const filter = { fromBlock: from, toBlock: to, ...by }
    const { result } = await this.#requests.rpc(who, 'l2', 'eth_getLogs', [filter])
    if (result === undefined) return
    const logs = (result as { blockNumber: Hex; transactionHash: Hex; logIndex: Hex }[]).map(
      ({ blockNumber, transactionHash, logIndex }) => ({
        ...{ block: Number(blockNumber), transaction: transactionHash, index: Number(logIndex) },
      }),
    )
    this.#world.recorder.record(who, 'range.seen', { from, to, ...by, logs, asked })
  }
}

/** With what the answer says of its place, which the receipts of a block do not need. */
export function partsOfAnswer(receipt: Record<string, unknown>) {
  const { blockHash, blockNumber, transactionIndex, from, to } = receipt
  return { ...partsOfReceipt(receipt), blockHash, blockNumber, transactionIndex, from, to }
}
