import { Instance, type LinearMemory, Module } from '#protocol/crypto/web-assembly'
import { WRITER_WASM } from './writer-wasm.ts'

/** What evm/assembly/written/index.ts exports. Pointers are offsets in `memory`. */
export interface WriterInstance {
  memory: LinearMemory
  transactionsRootAt(): number
  receiptsRootAt(): number
  bloomAt(): number
  blockHashAt(): number
  begin(): void
  roomFor(bytes: number): number
  addTransaction(
    chainId: bigint,
    nonce: bigint,
    tip: bigint,
    cap: bigint,
    gas: bigint,
    value: bigint,
    toLength: number,
    dataLength: number,
  ): void
  addEncoded(type: number, bytes: number): void
  addOutcome(
    status: number,
    gasUsed: bigint,
    maxUsedGas: bigint,
    logsLength: number,
    outputLength: number,
    errorLength: number,
  ): void
  end(): number
  hashesText(): number
  callsText(placeLength: number, tellsMaxUsedGas: number): number
  textAt(): number
}

let compiled: object | undefined

/** A fresh instance, of three quarters of a megabyte. */
export function instantiateWriter(): WriterInstance {
  compiled ??= new Module(Buffer.from(WRITER_WASM, 'base64'))
  return new Instance(compiled).exports as WriterInstance
}
