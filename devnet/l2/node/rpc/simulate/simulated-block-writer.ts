import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { writeHex } from '#protocol/bytes/hex-to-bytes'
import type { CallOutcome } from '#protocol/execution/executor'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { SignedTransaction } from '#protocol/types/transaction'
import type { CallObject } from '../calls/call-object.ts'
import { instantiateWriter, type WriterInstance } from './writer-instance.ts'

/** Memory that is kept for the next block. */
const KEPT_BYTES = 32 * 2 ** 20
/** Characters of text that are read at once: a string of more than twice as many has memory of its own, fresh from the system. */
const PIECE = 64 * 2 ** 10
const ADDRESS_BYTES = 20
const WORD = 32
const NOTHING = new Uint8Array(0)

const { latin1Slice, utf8Slice } = Buffer.prototype as unknown as Record<
  'latin1Slice' | 'utf8Slice',
  (this: Uint8Array, from: number, to: number) => string
>

/** What a block says of its calls. */
export interface WrittenRoots {
  transactionsRoot: Hash
  receiptsRoot: Hash
  logsBloom: Hex
  /** Bytes of all transactions, as items of the block's list. */
  transactionsLength: number
}

/**
 * Encodes and hashes the transactions and receipts of a simulated block, and writes its calls as JSON, all from
 * bytes to bytes in WASM (evm/assembly/written): what they would be as objects nobody looks at. One block
 * at a time; calls are added in turn, their transaction and what came of it.
 */
export class SimulatedBlockWriter {
  #wasm: WriterInstance | undefined
  #bytes = NOTHING
  /** Whether all that was told is ASCII. */
  #isAscii = true

  /** Begins a block, and forgets the last one. */
  begin(): void {
    if (this.#bytes.length > KEPT_BYTES) this.#wasm = undefined
    this.#isAscii = true
    this.#made.begin()
  }

  /** The transaction of a call of type 2 whose numbers have at most 64 bits, without an access list. */
  addCall(
    { to, data, value, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n }: CallObject,
    { gas, nonce, chainId }: { gas: bigint; nonce: bigint; chainId: bigint },
  ): void {
    const wasm = this.#made
    const toLength = to === null ? 0 : ADDRESS_BYTES
    const at = this.#roomFor(toLength + data.length)
    if (to !== null) writeHex(to, this.#bytes, at)
    this.#bytes.set(data, at + toLength)
    const fees = [maxPriorityFeePerGas, maxFeePerGas] as const
    wasm.addTransaction(chainId, nonce, ...fees, gas, value, toLength, data.length)
  }

  /** Any other transaction. */
  addTransaction({ type, raw }: SignedTransaction): void {
    const at = this.#roomFor(raw.length)
    this.#bytes.set(raw, at)
    this.#made.addEncoded(type, raw.length)
  }

  /** @param error of the call, as JSON; empty: none */
  addOutcome(
    { status, gasUsed, maxUsedGas, rawLogs = NOTHING }: CallOutcome,
    shown: { output: Uint8Array; error: string },
  ): void {
    const { output, error } = shown
    const errorBytes = error === '' ? NOTHING : Buffer.from(error)
    if (errorBytes.length !== error.length) this.#isAscii = false
    const lengths = [rawLogs.length, output.length, errorBytes.length] as const
    const at = this.#roomFor(lengths[0] + lengths[1] + lengths[2])
    const bytes = this.#bytes
    bytes.set(rawLogs, at)
    bytes.set(output, at + lengths[0])
    bytes.set(errorBytes, at + lengths[0] + lengths[1])
    this.#made.addOutcome(status, gasUsed, maxUsedGas, ...lengths)
  }

  /** Once all calls of a block with calls are there. */
  end(): WrittenRoots {
    const wasm = this.#made
    const transactionsLength = wasm.end()
    this.#refresh()
    return {
      transactionsRoot: this.#hex(wasm.transactionsRootAt(), WORD),
      receiptsRoot: this.#hex(wasm.receiptsRootAt(), WORD),
      logsBloom: this.#hex(wasm.bloomAt(), 256),
      transactionsLength,
    }
  }

  /** The hashes of all transactions as elements of a JSON array. */
  hashesText(): string {
    return this.#text(this.#made.hashesText())
  }

  /**
   * All calls as elements of a JSON array.
   * @param block its hash, and the members by which logs tell their block
   */
  callsText(block: { hash: Hash; place: string }, tellsMaxUsedGas: boolean): string {
    const wasm = this.#made
    const place = Buffer.from(block.place)
    const at = this.#roomFor(place.length)
    this.#bytes.set(place, at)
    writeHex(block.hash, this.#bytes, wasm.blockHashAt())
    return this.#text(wasm.callsText(place.length, tellsMaxUsedGas ? 1 : 0))
  }

  get #made(): WriterInstance {
    this.#wasm ??= instantiateWriter()
    return this.#wasm
  }

  #roomFor(bytes: number): number {
    const at = this.#made.roomFor(bytes)
    this.#refresh()
    return at
  }

  /** A memory that has grown has a new buffer. */
  #refresh(): void {
    const { buffer } = this.#made.memory
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer)
  }

  #hex(at: number, length: number): Hex {
    return bytesToHex(this.#bytes.subarray(at, at + length))
  }

  #text(end: number): string {
    this.#refresh()
    const start = this.#made.textAt()
    if (!this.#isAscii) return utf8Slice.call(this.#bytes, start, end)
    let text = ''
    for (let at = start; at < end; at += PIECE) {
      text += latin1Slice.call(this.#bytes, at, Math.min(at + PIECE, end))
    }
    return text
  }
}
