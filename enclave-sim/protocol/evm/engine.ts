import { RuntimeError } from '../crypto/web-assembly.ts'
import type { Rng } from '../random/rng.ts'
import { systemRng } from '../random/rng.ts'
import type { Log } from '../types/block.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { EngineExhausted } from './engine-exhausted.ts'
import { EngineExit } from './engine-exit.ts'
import { EngineFault } from './engine-fault.ts'
import type { EngineHost } from './engine-host.ts'
import { type EngineInstance, instantiateEngine } from './engine-instance.ts'
import { EngineMemory } from './engine-memory.ts'
import type {
  ChangedAccount,
  Changes,
  EngineBlock,
  EngineContext,
  EngineFrame,
  EngineFrameEnd,
  EngineMessage,
  EngineStep,
} from './engine-message.ts'
import { type Account, account, frame, log, slot } from './engine-records.ts'
import type { EngineTrap, TrapPlace } from './engine-trap.ts'

/** What an engine is laid out for unless a message has more gas; untouched memory costs nothing. */
const USUAL_GAS = 64_000_000n
/** Beyond it a message that uses all its gas for the same thing may be EVM_EXHAUSTED: gigabytes. */
const MOST_GAS = 8n * USUAL_GAS
/** Memory that frames may have left behind before the engine gives it back. */
const KEPT_BYTES = 64 * 2 ** 20
/** Messages that one instance numbers. */
const MOST_MESSAGES = 2 ** 31
/** What the cheapest account and slot cost, and how many come without being paid for. */
const GAS_PER_ACCOUNT = 2_400
const GAS_PER_SLOT = 1_900
const UNPAID = 1_024
/** Gas of a run that never pauses. */
const NO_BUDGET = 2n ** 62n
const WORD = 32
/** CREATE and CREATE2. */
const CREATIONS = new Set([0xf0, 0xf5])

interface Pointers {
  exchange: number
  environment: number
  message: number
  precompiles: number
  blockHash: number
}

export interface EngineOptions {
  /** Only for speed: where keys lie in indices. */
  rng?: Rng
  /** Lays out for messages of so much gas at most, whatever they have. */
  mostGas?: bigint
  /** Bytes for deployed code, instead of the usual. */
  codeBytes?: number
}

/**
 * An EVM of Prague, which Isthmus and Jovian have too, or of Osaka, which Azul has. It runs one message at a time on the state that
 * a host tells it, and tells in the end what has changed. What it has read stays with it as long as messages on the same state
 * follow each other, those of a block for instance.
 *
 * Whenever `run` stops before the message is over, `exit` says why: something is missing that the host
 * did not have at hand (see `missing`), a precompile is to be run, or the budget is spent. After that,
 * `run` goes on.
 *
 * @example
 * engine.open(scene, host, message.gas, block)
 * engine.begin(message)
 * while (!isOver(engine.run())) await fetch(engine.missing())
 * const { output, gasLeft } = engine.outcome()
 * write(engine.takeChanges())
 */
export class Engine {
  readonly #rng: Rng
  readonly #codeBytes: number
  #wasm!: EngineInstance
  /** Not before the first message: what never runs one reserves nothing. */
  #isMade = false
  #memory!: EngineMemory
  #at!: Pointers
  readonly #mostGas: bigint
  #gas: bigint
  #size = 0
  #messages = 0
  #host!: EngineHost
  #begins: EngineMessage | undefined
  /** What the records in the engine were read from, if messages on it follow each other. */
  #state: object | undefined
  /** The ones it knows, told by identity. */
  #block: EngineBlock | undefined
  #precompiles: readonly Uint8Array[] | undefined
  #exit = 0

  constructor({ rng = systemRng, mostGas = MOST_GAS, codeBytes = 0 }: EngineOptions = {}) {
    this.#rng = rng
    this.#mostGas = mostGas
    this.#gas = mostGas < USUAL_GAS ? mostGas : USUAL_GAS
    this.#codeBytes = codeBytes
  }

  /** Why `run` or `step` has stopped: one of EngineExit; 0 before the first. */
  get exit(): number {
    return this.#exit
  }

  /**
   * Makes ready for a message of at most so much gas. What the last one has done is gone, unless its
   * changes were taken. The fee recipient is warm.
   * @param state what the host reads, told by identity: where it is the last message's, the engine goes
   * on with what that has read, and asks only for what is new, and for what it is to `readAgain`
   */
  open(context: EngineContext, host: EngineHost, gas: bigint, state?: object): void {
    this.#host = host
    this.#begins = undefined
    this.#fit(gas)
    const hasSamePrecompiles = this.#setPrecompiles(context)
    const isSame = state !== undefined && state === this.#state && hasSamePrecompiles
    const keepsView = isSame && this.#hasRoom(Number(gas))
    this.#state = state
    const at = this.#at.environment
    this.#memory.writeWordBytes(at, context.origin)
    this.#memory.writeWord(at + WORD, context.gasPrice)
    this.#setBlock(context.block)
    const { logsTransfers, isOsaka } = context
    this.#guarded(() => this.#wasm.open(keepsView ? 1 : 0, logsTransfers ? 1 : 0, isOsaka ? 1 : 0))
  }

  /** Between two messages: as a fresh engine, it knows nothing that its host has told. */
  forget(): void {
    this.#state = undefined
    if (this.#isMade) this.#wasm.forgetCode()
  }

  /** Of the state that messages follow each other on: this account is not as the last one has left it. */
  readAgain(address: Uint8Array): void {
    this.#memory.writeWordBytes(this.#at.exchange, address)
    this.#wasm.forgetAccount()
  }

  /** Makes an account warm from the start (EIP-2929). */
  warm(address: Uint8Array): void {
    this.#memory.writeWordBytes(this.#at.exchange, address)
    this.#guarded(() => this.#wasm.warmAccount(this.#at.exchange))
  }

  /** Makes a slot warm from the start (EIP-2930). */
  warmSlot(address: Uint8Array, key: Uint8Array): void {
    const { exchange } = this.#at
    this.#memory.writeWordBytes(exchange, address)
    this.#memory.writeWordBytes(exchange + WORD, key)
    this.#guarded(() => this.#wasm.warmSlot(exchange, exchange + WORD))
  }

  /** Says what is to be run; its caller and its target are warm. */
  begin(message: EngineMessage): void {
    const at = this.#at.message
    this.#memory.writeWordBytes(at, message.caller)
    this.#memory.writeWordBytes(at + WORD, message.target)
    this.#memory.writeWord(at + 2 * WORD, message.value)
    this.#begins = message
    this.#exit = 0
  }

  /**
   * Runs on.
   * @param budget gas that the message may use in all, however often it had to stop; then it stops with
   * EngineExit.pause, at the next chance
   * @returns why it has stopped: one of EngineExit
   * @throws EngineExhausted, EngineFault: the message is given up, and the next `open` has a fresh instance
   */
  run(budget = NO_BUDGET): number {
    return this.#run(() => this.#wasm.run(budget))
  }

  /** The same with a stop before each opcode, and where frames begin and end. */
  step(): number {
    return this.#run(() => this.#wasm.step())
  }

  /** What the last exit lacks. */
  missing(): { address: Address; slot?: Hash } {
    const address = this.#neededAddress()
    return this.#exit === EngineExit.needsSlot ? { address, slot: this.#neededKey() } : { address }
  }

  /** The number that EngineExit.needsBlockHash is about. */
  missingBlock(): bigint {
    return this.#memory.word(this.#wasm.neededKeyAt())
  }

  /** @param hash 32 bytes */
  tellBlockHash(number: bigint, hash: Uint8Array): void {
    this.#memory.writeWord(this.#at.blockHash, number)
    this.#memory.writeWordBytes(this.#at.blockHash + WORD, hash)
    this.#wasm.tellBlockHash()
  }

  /** What EngineExit.precompile is about. */
  precompileCall(): { address: Uint8Array; input: Uint8Array; gas: bigint } {
    const at = this.#wasm.frameAt()
    const memory = this.#memory
    const target = memory.u32(at + frame.codeAccount) + account.address
    return {
      address: memory.readWordBytes(target, new Uint8Array(20)),
      input: memory.bytes(memory.u32(at + frame.input), memory.u32(at + frame.inputLength)),
      gas: memory.i64(at + frame.gas),
    }
  }

  /** @param exit EngineExit.return, outOfGas or precompileFailed */
  finishPrecompile(exit: number, gasUsed: bigint, output: Uint8Array): void {
    this.#guarded(() => {
      const at = this.#wasm.precompileOutput(output.length)
      this.#memory.refresh()
      this.#memory.writeBytes(at, output)
      this.#wasm.finishPrecompile(exit, gasUsed, output.length)
    })
  }

  /** How the message has ended. */
  outcome(): { exit: number; gasLeft: bigint; refund: bigint; output: Uint8Array } {
    const at = this.#wasm.frameAt()
    return {
      exit: this.#exit,
      gasLeft: this.#memory.i64(at + frame.gas),
      refund: this.#wasm.gasRefund(),
      output: this.#result(at),
    }
  }

  logs(): Log[] {
    const logs: Log[] = []
    const memory = this.#memory
    const end = this.#wasm.logsStop()
    for (let at = this.#wasm.logsStart(); at < end; ) {
      const topics = memory.u32(at + log.topics)
      const length = memory.u32(at + log.length)
      const first = at + log.bytes
      const data = first + topics * WORD
      logs.push({
        address: memory.address(at + log.emitter),
        topics: this.#topics(first, topics),
        data: memory.bytes(data, length),
      })
      at = (data + length + 15) & ~15
    }
    return logs
  }

  /** The same as they lie in memory (assembly/log.ts); good until the engine is used again. */
  rawLogs(): Uint8Array {
    const start = this.#wasm.logsStart()
    return this.#memory.view(start, this.#wasm.logsStop() - start)
  }

  /**
   * What the message has changed, once it is over. The next message on the same state begins with it.
   */
  takeChanges(): Changes {
    const memory = this.#memory
    const accounts = this.#list(this.#wasm.listAccounts()).map((at) => this.#changedAccount(at))
    const slots = this.#list(this.#wasm.listSlots()).map((at) => ({
      address: memory.address(memory.u32(at + slot.account) + account.address),
      key: memory.hash(at + slot.key),
      value: memory.number(at + slot.value),
    }))
    this.#wasm.keepChanges()
    return { accounts, slots }
  }

  /** The frame on top, as it began. */
  frame(): EngineFrame {
    const memory = this.#memory
    const at = this.#wasm.frameAt()
    const kind = memory.u32(at + frame.kind)
    // Init code is what goes into a creation, though not as calldata.
    const [input, length] = CREATIONS.has(kind)
      ? [frame.code, frame.codeLength]
      : [frame.input, frame.inputLength]
    const addressAt = (field: number) =>
      memory.readWordBytes(memory.u32(at + field) + account.address, new Uint8Array(20))
    return {
      kind,
      depth: this.#wasm.currentDepth(),
      caller: memory.readWordBytes(at + frame.caller, new Uint8Array(20)),
      account: addressAt(frame.account),
      target: addressAt(frame.codeAccount),
      value: memory.word(at + frame.value),
      gas: memory.i64(at + frame.startGas),
      input: memory.bytes(memory.u32(at + input), memory.u32(at + length)),
      hasCode: memory.u32(at + frame.codeLength) > 0,
    }
  }

  /** After EngineExit.leave. */
  frameEnd(): EngineFrameEnd {
    const memory = this.#memory
    const at = this.#wasm.frameAt()
    const code = memory.u32(at + frame.code)
    return {
      depth: this.#wasm.currentDepth(),
      exit: memory.u32(at + frame.exit),
      gasUsed: memory.i64(at + frame.startGas) - memory.i64(at + frame.gas),
      output: this.#result(at),
      opcode: memory.bytes(code + memory.u32(at + frame.pc), 1)[0]!,
    }
  }

  /** After EngineExit.step. */
  stepInfo(): EngineStep {
    const memory = this.#memory
    const at = this.#wasm.frameAt()
    const pc = memory.u32(at + frame.pc)
    return {
      pc,
      opcode: memory.bytes(memory.u32(at + frame.code) + pc, 1)[0]!,
      gas: memory.i64(at + frame.gas),
      cost: this.#wasm.opcodeCost(),
      depth: this.#wasm.currentDepth(),
      refund: this.#wasm.gasRefund(),
    }
  }

  /** The stack of the frame on top; the top last. */
  stack(): bigint[] {
    const memory = this.#memory
    const at = this.#wasm.frameAt()
    const words: bigint[] = []
    const end = memory.u32(at + frame.stackTop)
    for (let word = memory.u32(at + frame.stackBase); word < end; word += WORD) {
      words.push(memory.word(word))
    }
    return words
  }

  /** The memory of the frame on top. */
  frameMemory(): Uint8Array {
    const at = this.#wasm.frameAt()
    return this.#memory.bytes(
      this.#memory.u32(at + frame.memory),
      this.#memory.u32(at + frame.memorySize),
    )
  }

  /** What the last inner call has given back. */
  returnData(): Uint8Array {
    return this.#memory.bytes(this.#wasm.returnedAt(), this.#wasm.returnedBytes())
  }

  /** An account as the message sees it now; undefined when it has not looked at it. */
  peekAccount(
    address: Uint8Array,
  ): { nonce: bigint; balance: bigint; code?: Uint8Array } | undefined {
    const memory = this.#memory
    memory.writeWordBytes(this.#at.exchange, address)
    const at = this.#wasm.peekAccount()
    if (at === 0) return undefined
    const fields = {
      nonce: memory.u64(at + account.nonce),
      balance: memory.word(at + account.balance),
    }
    return this.#wasm.codeAt(at) === 0 ? fields : { ...fields, code: this.#code(at) }
  }

  /** The same of a slot: 32 bytes. */
  peekSlot(address: Uint8Array, key: Uint8Array): Uint8Array | undefined {
    const { exchange } = this.#at
    this.#memory.writeWordBytes(exchange, address)
    this.#memory.writeWordBytes(exchange + WORD, key)
    const at = this.#wasm.peekSlot()
    return at === 0 ? undefined : this.#memory.readWordBytes(at + slot.value, new Uint8Array(WORD))
  }

  /** The account whose storage the frame on top works on. */
  frameAccount(): { nonce: bigint; balance: bigint } {
    const at = this.#memory.u32(this.#wasm.frameAt() + frame.account)
    return {
      nonce: this.#memory.u64(at + account.nonce),
      balance: this.#memory.word(at + account.balance),
    }
  }

  /** Bytes of linear memory, touched or not. */
  get memoryBytes(): number {
    return this.#isMade ? this.#memory.size : 0
  }

  /** For tests: lets frames have no more memory than that. */
  limitMemory(bytes: number): void {
    if (!this.#isMade) this.#renew()
    this.#wasm.limitMemory(bytes)
  }

  /** Whether all that so much gas can read fits beside what is there. */
  #hasRoom(gas: number): boolean {
    return (
      this.#wasm.roomForAccounts() >>> 0 > gas / GAS_PER_ACCOUNT + UNPAID &&
      this.#wasm.roomForSlots() >>> 0 > gas / GAS_PER_SLOT + UNPAID
    )
  }

  #setBlock(block: EngineBlock): void {
    if (block === this.#block) return
    this.#block = block
    const memory = this.#memory
    const at = this.#at.environment + 2 * WORD
    memory.writeWordBytes(at, block.coinbase)
    memory.writeWord(at + WORD, block.timestamp)
    memory.writeWord(at + 2 * WORD, block.number)
    memory.writeWordBytes(at + 3 * WORD, block.prevRandao)
    const { gasLimit, chainId, baseFee, blobBaseFee } = block
    const rest = [gasLimit, chainId, baseFee, blobBaseFee]
    for (const [index, value] of rest.entries()) memory.writeWord(at + (4 + index) * WORD, value)
  }

  /** @returns whether they are the last message's */
  #setPrecompiles({ precompiles, precompilesAreMoved }: EngineContext): boolean {
    if (precompiles === this.#precompiles) return true
    this.#precompiles = precompiles
    for (const [index, address] of precompiles.entries()) {
      this.#memory.writeWordBytes(this.#at.precompiles + index * WORD, address)
    }
    this.#wasm.setPrecompiles(precompiles.length, precompilesAreMoved ? 0 : 1)
    return false
  }

  #run(go: () => number): number {
    return this.#guarded(() => {
      let exit = this.#begins ? this.#start(this.#begins) : go()
      this.#memory.refresh()
      while (exit === 0 || this.#answer(exit)) {
        exit = this.#begins ? this.#start(this.#begins) : go()
        this.#memory.refresh()
      }
      this.#exit = exit
      return exit
    })
  }

  /** @throws EngineExhausted, EngineFault */
  #guarded<T>(use: () => T): T {
    try {
      return use()
    } catch (error) {
      throw error instanceof RuntimeError ? this.#trap(error) : error
    }
  }

  /** What is to be told of a trap. It ends the instance, whose memory is as it happened to be. */
  #trap(error: Error): EngineTrap {
    const arena = this.#wasm.whatIsExhausted()
    const place = this.#place()
    this.#isMade = false
    this.#wasm = undefined as never
    return arena ? new EngineExhausted(arena, place, error) : new EngineFault(place, error)
  }

  /** Of the frame on top, if there is one. */
  #place(): TrapPlace | undefined {
    const depth = this.#wasm.currentDepth()
    if (depth < 0) return undefined
    const memory = this.#memory
    memory.refresh()
    const at = this.#wasm.frameAt()
    const target = memory.u32(at + frame.codeAccount)
    if (target === 0) return undefined
    const address = memory.address(target + account.address)
    return { address, pc: memory.u32(at + frame.pc), depth }
  }

  #start({ isCreation, gas, input }: EngineMessage): number {
    const at = this.#wasm.inputAt(input.length)
    this.#memory.refresh()
    this.#memory.writeBytes(at, input)
    const exit = this.#wasm.begin(isCreation ? 1 : 0, gas, input.length)
    if (exit === 0) this.#begins = undefined
    return exit
  }

  /** Whether the host had at hand what is missing. */
  #answer(exit: number): boolean {
    if (exit === EngineExit.needsSlot) return this.#tellSlot()
    if (exit === EngineExit.needsAccount) return this.#tellAccount()
    if (exit === EngineExit.needsCode) return this.#tellCode()
    return false
  }

  #tellAccount(): boolean {
    const found = this.#host.account(this.#neededAddress())
    if (!found) return false
    this.#memory.writeWord(this.#at.exchange, found.balance)
    this.#memory.writeBytes(this.#at.exchange + WORD, found.codeHash)
    this.#wasm.tellAccount(found.nonce, found.hasStorage ? 1 : 0)
    return true
  }

  #tellSlot(): boolean {
    const found = this.#host.slot(this.#neededAddress(), this.#neededKey())
    if (!found) return false
    this.#memory.writeWordBytes(this.#at.exchange, found)
    this.#wasm.tellSlot()
    return true
  }

  #tellCode(): boolean {
    const at = this.#wasm.neededAccountAt() + account.codeHash
    const found = this.#host.code(this.#neededAddress(), this.#memory.bytes(at, WORD))
    if (!found) return false
    const code = this.#wasm.tellCode(found.length)
    this.#memory.writeBytes(code, found)
    this.#wasm.finishCode(code, found.length)
    return true
  }

  #neededAddress(): Address {
    return this.#memory.address(this.#wasm.neededAccountAt() + account.address)
  }

  #neededKey(): Hash {
    return this.#memory.hash(this.#wasm.neededKeyAt() + slot.key)
  }

  #result(at: number): Uint8Array {
    return this.#memory.bytes(
      this.#memory.u32(at + frame.result),
      this.#memory.u32(at + frame.resultLength),
    )
  }

  #changedAccount(at: Account): ChangedAccount {
    const memory = this.#memory
    const codeIsNew = !this.#isSame(at + account.codeHash, at + account.baseCodeHash)
    return {
      address: memory.address(at + account.address),
      fields: {
        nonce: memory.u64(at + account.nonce),
        balance: memory.word(at + account.balance),
      },
      code: codeIsNew ? this.#code(at) : undefined,
      isDestroyed: (memory.u32(at + account.flags) & account.destroyed) !== 0,
    }
  }

  #code(at: Account): Uint8Array {
    const code = this.#wasm.codeAt(at)
    return this.#memory.bytes(code, this.#wasm.codeBytesAt(code))
  }

  #isSame(at: number, other: number): boolean {
    for (let byte = 0; byte < WORD; byte += 8) {
      if (this.#memory.u64(at + byte) !== this.#memory.u64(other + byte)) return false
    }
    return true
  }

  #list(count: number): number[] {
    const at = this.#wasm.listAt()
    // An array that grows as it is filled takes room for seventeen.
    const listed = new Array<number>(count)
    for (let index = 0; index < count; index++) listed[index] = this.#memory.u32(at + 4 * index)
    return listed
  }

  #topics(first: number, count: number): Hash[] {
    const topics: Hash[] = []
    for (let at = first; at < first + count * WORD; at += WORD) topics.push(this.#memory.hash(at))
    return topics
  }

  /** Takes a new instance where the last message has left too much, or this one may need more. */
  #fit(gas: bigint): void {
    const wanted = gas < this.#mostGas ? gas : this.#mostGas
    const isTooSmall = wanted > this.#gas
    while (wanted > this.#gas) this.#gas *= 2n
    const isWorn = () =>
      this.#messages++ > MOST_MESSAGES || this.#memory.size > this.#size + KEPT_BYTES
    if (isTooSmall || !this.#isMade || isWorn()) this.#renew()
  }

  #renew(): void {
    const wasm = instantiateEngine()
    if (!wasm.layOut(this.#gas, this.#codeBytes)) throw new EngineExhausted(0, undefined, undefined)
    const seed = new BigUint64Array(this.#rng.bytes(16).slice().buffer)
    wasm.seed(seed[0]!, seed[1]!)
    this.#wasm = wasm
    this.#isMade = true
    this.#block = undefined
    this.#precompiles = undefined
    this.#state = undefined
    this.#memory = new EngineMemory(wasm.memory)
    this.#size = this.#memory.size
    this.#messages = 0
    this.#at = {
      exchange: wasm.exchangeAt(),
      environment: wasm.environmentAt(),
      message: wasm.messageAt(),
      precompiles: wasm.precompilesAt(),
      blockHash: wasm.blockHashAt(),
    }
  }
}
