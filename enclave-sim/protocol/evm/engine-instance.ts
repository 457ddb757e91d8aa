import { Instance, type LinearMemory, Module } from '../crypto/web-assembly.ts'
import { ENGINE_WASM } from './engine-wasm.ts'

/** What assembly/index.ts exports. Pointers are offsets in `memory`; words have the lowest byte first. */
export interface EngineInstance {
  memory: LinearMemory
  layOut(gas: bigint, code: number): number
  limitMemory(bytes: number): void
  whatIsExhausted(): number
  seed(first: bigint, second: bigint): void
  exchangeAt(): number
  environmentAt(): number
  messageAt(): number
  precompilesAt(): number
  blockHashAt(): number
  open(keepView: number, logsTransfers: number, isOsaka: number): void
  setPrecompiles(count: number, areWarm: number): void
  warmAccount(address: number): void
  warmSlot(address: number, key: number): void
  inputAt(length: number): number
  begin(isCreation: number, gas: bigint, inputLength: number): number
  run(budget: bigint): number
  step(): number
  neededAccountAt(): number
  neededKeyAt(): number
  tellAccount(nonce: bigint, hasStorage: number): void
  tellSlot(): void
  tellCode(length: number): number
  finishCode(code: number, length: number): void
  forgetCode(): void
  tellBlockHash(): void
  precompileOutput(length: number): number
  finishPrecompile(exit: number, gasUsed: bigint, outputLength: number): void
  currentDepth(): number
  frameAt(): number
  gasRefund(): bigint
  opcodeCost(): bigint
  logsStart(): number
  logsStop(): number
  returnedAt(): number
  returnedBytes(): number
  keepChanges(): void
  listAccounts(): number
  listSlots(): number
  listAt(): number
  forgetAccount(): void
  peekAccount(): number
  peekSlot(): number
  codeAt(account: number): number
  codeBytesAt(code: number): number
  roomForAccounts(): number
  roomForSlots(): number
}

let compiled: object | undefined

/** A fresh instance; compiling takes some milliseconds the first time. */
export function instantiateEngine(): EngineInstance {
  compiled ??= new Module(Buffer.from(ENGINE_WASM, 'base64'))
  return new Instance(compiled).exports as unknown as EngineInstance
}
