import { bytesToHex } from '@ethereumjs/util'
import type { Inbox, Landing } from '#devnet/l2/batcher/inbox'
import type { FetchL1Block } from '#devnet/l2/node/sequencer/l1-prefetch'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { type L1Source, l1Source } from '#protocol/derivation/l1-source'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { ScriptedL1 } from '#protocol/derivation/testing/scripted-l1'
import type { Log } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { RandomSource } from '#suites/oracles/differential/random-source'
import { inboxTransaction } from './inbox-transaction.ts'
import { configUpdateLog } from './l1-logs.ts'
import { randomGarbage } from './random-garbage.ts'
import { randomL1Events } from './random-l1-events.ts'

type Sent = Awaited<ReturnType<Inbox['sign']>>[number]

interface Waiting {
  hash: Hash
  raw: Uint8Array
  /** Number of the first L1 block that may hold it; undefined: it will never be there. */
  due: bigint | undefined
  since: bigint
}

/** L1 blocks after which a transaction that never comes is known to be lost. */
const LOST_AFTER = 3n
const BATCHERS = [roleKeys.batcher, roleKeys.proposer]

export interface ChaoticL1Counts {
  reorgs: number
  droppedBlocks: number
  batcherTransactions: number
  blobTransactions: number
  lost: number
  late: number
  repeated: number
  garbage: number
  logs: number
  batcherChanges: number
}

/**
 * An L1 on which little goes as the batcher wishes: transactions come late, twice or never, among
 * garbage under its own signature; blocks are dropped; deposits and configuration changes come in.
 */
export class ChaoticL1 {
  readonly counts: ChaoticL1Counts = {
    reorgs: 0,
    droppedBlocks: 0,
    batcherTransactions: 0,
    blobTransactions: 0,
    lost: 0,
    late: 0,
    repeated: 0,
    garbage: 0,
    logs: 0,
    batcherChanges: 0,
  }
  readonly source: L1Source
  /** false: whatever is sent is there in the next block, and nothing else happens. */
  isChaotic = true
  readonly #l1: ScriptedL1
  readonly #config: RollupConfig
  readonly #random: RandomSource
  #nonce = 0
  #waiting: Waiting[] = []
  /** Everything the batcher ever sent. */
  readonly #history: Uint8Array[] = []
  /** By number: what the block holds, and whose batches count after it. */
  readonly #blocks: { transactions: Waiting[]; batcher: number }[] = [
    { transactions: [], batcher: 0 },
  ]

  constructor(l1: ScriptedL1, config: RollupConfig, random: RandomSource) {
    this.#l1 = l1
    this.#config = config
    this.#random = random
    this.source = l1Source(l1.oracle)
  }

  head() {
    return this.#l1.head()
  }

  readonly fetchBlock: FetchL1Block = async (number) => {
    if (number > this.head().number) return undefined
    const { hash } = this.#l1.at(Number(number))
    return { header: await this.source.header(hash), receipts: await this.source.receipts(hash) }
  }

  /** @param timestamp seconds */
  mine(timestamp: bigint): void {
    const number = this.head().number + 1n
    const isDue = ({ due }: Waiting) => due !== undefined && due <= number
    const transactions = this.#waiting.filter(isDue)
    this.#waiting = this.#waiting.filter((waiting) => !isDue(waiting))
    let { batcher } = this.#blocks.at(-1)!
    const logs: Log[] = this.isChaotic ? randomL1Events(this.#random, this.#config) : []
    if (this.isChaotic && this.#random.oneIn(50)) {
      batcher = 1 - batcher
      this.counts.batcherChanges++
      const { address } = BATCHERS[batcher]!
      logs.push(configUpdateLog(this.#config.l1SystemConfigAddress, 0, [BigInt(address)]))
    }
    this.counts.logs += logs.length
    const raw = transactions.map((each) => each.raw)
    if (this.isChaotic && this.#random.oneIn(5)) {
      raw.splice(this.#random.below(raw.length + 1), 0, this.#garbage())
    }
    this.#blocks.push({ transactions, batcher })
    const extraData = bytesToHex(this.#random.bytes(8))
    this.#l1.mine({ transactions: raw, logs, timestamp, extraData })
  }

  /** Drops blocks; what they held comes again, or not. */
  reorg(depth: number): void {
    const to = Number(this.head().number) - depth
    this.#l1.rewind(to)
    const since = BigInt(to)
    const comesAgain = !this.#random.oneIn(4)
    // The batcher's transactions have nonces, so they keep their order.
    const due = comesAgain ? since + 1n : undefined
    const dropped = this.#blocks.splice(to + 1).flatMap(({ transactions }) => transactions)
    this.#waiting = [...dropped.map((each) => ({ ...each, due, since })), ...this.#waiting]
    this.counts.reorgs++
    this.counts.droppedBlocks += depth
  }

  /** Puts a channel's data on L1 as the batcher would, in the next block. */
  inject(data: Uint8Array): void {
    const raw = this.#sign([data])
    this.#waiting.push({ hash: keccak256Hex(raw), raw, due: 0n, since: 0n })
  }

  readonly inbox: Inbox = {
    // A channel may take two blocks as a whole, or lose or delay a part. When it comes is drawn as it is signed.
    sign: async (data) => {
      const usual = this.isChaotic && this.#random.oneIn(6) ? 2 : 1
      const odd = this.#random.below(data.length)
      return data.map((bytes, i) => this.#send(bytes, i === odd ? this.#delay(usual) : usual))
    },
    offer: async () => undefined,
    landing: async ({ hash }) => this.#landing(hash),
    sendAgain: async (transaction) => transaction,
    l1Head: async () => this.head(),
  }

  #send(data: Uint8Array, delay: number | undefined): Sent {
    const since = this.head().number
    const nonce = this.#nonce
    const raw = this.#sign([data])
    const hash = keccak256Hex(raw)
    const due = delay === undefined ? undefined : since + BigInt(delay)
    this.#waiting.push({ hash, raw, due, since })
    if (this.isChaotic && this.#random.oneIn(20)) {
      const again = this.#sign([data])
      this.#waiting.push({ hash: keccak256Hex(again), raw: again, due: since + 2n, since })
      this.counts.repeated++
    }
    this.#history.push(data)
    this.counts.batcherTransactions++
    return { hash, raw: bytesToHex(raw), nonce } as unknown as Sent
  }

  /** L1 blocks until a channel's next transaction is there; undefined: it will never be. */
  #delay(usual: number): number | undefined {
    if (!this.isChaotic) return usual
    if (this.#random.oneIn(30)) {
      this.counts.lost++
      return undefined
    }
    if (!this.#random.oneIn(15)) return usual
    this.counts.late++
    return usual + 1 + this.#random.below(8)
  }

  #landing(hash: Hash): Landing {
    const number = this.#blocks.findIndex((block) =>
      block.transactions.some((each) => each.hash === hash),
    )
    if (number >= 0) return { l1Block: this.#l1.at(number).hash, l1Number: BigInt(number) }
    const waiting = this.#waiting.find((each) => each.hash === hash)
    if (waiting?.due !== undefined) return 'pending'
    return waiting && this.head().number < waiting.since + LOST_AFTER ? 'pending' : 'lost'
  }

  #garbage(): Uint8Array {
    this.counts.garbage++
    const known = this.#history.length > 0 ? this.#random.pick(this.#history) : Uint8Array.of(0)
    const data = randomGarbage(this.#random, known)
    return this.#random.oneIn(6)
      ? this.#sign([data], roleKeys.challenger.privateKey)
      : this.#sign([data])
  }

  #sign(data: Uint8Array[], key: Hex = BATCHERS[this.#blocks.at(-1)!.batcher]!.privateKey) {
    const isBlob = this.#random.oneIn(4)
    if (isBlob) this.counts.blobTransactions++
    const blobsOn = isBlob ? this.#l1 : undefined
    return inboxTransaction(data, {
      to: this.#config.batchInboxAddress,
      key,
      nonce: this.#nonce++,
      blobsOn,
    })
  }
}
