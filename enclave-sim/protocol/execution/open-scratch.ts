import { bigIntMin } from '@ethereumjs/util'
import type { Hash } from '../types/bytes.ts'
import type { StateStore } from '../types/state.ts'
import type { BlockEnvironment, CallMessage, CallOutcome, CallRules, Scratch } from './executor.ts'
import type { Machine } from './machine.ts'
import { runBlockStart } from './run-block-start.ts'
import { runMessage } from './run-message.ts'
import { traceTransaction } from './trace-transaction.ts'
import type { Tracer } from './tracer.ts'
import { checkFees, checkFunds, checkIntrinsicGas, checkNonce } from './validate-transaction.ts'
import { WorldEditor } from './world-editor.ts'
import { WorldState } from './world-state.ts'

/** A private copy of the state at `stateRoot`; nothing reaches the store before `commit`. */
export function openScratch(machine: Machine, options: ScratchOptions): Scratch {
  return new ScratchState(machine, options)
}

interface ScratchOptions {
  store: StateStore
  stateRoot: Hash
  tracer?: Tracer
  budget?: bigint | undefined
}

class ScratchState extends WorldEditor implements Scratch {
  readonly #machine: Machine
  readonly #store: StateStore
  readonly #world: WorldState
  readonly #tracer: Tracer | undefined
  readonly #budget: bigint | undefined

  constructor(machine: Machine, { store, stateRoot, tracer, budget }: ScratchOptions) {
    const world = new WorldState(store, stateRoot)
    super(world)
    this.#machine = machine
    this.#store = store
    this.#world = world
    this.#tracer = tracer
    this.#budget = budget
  }

  async applyBlockStart(block: {
    number: bigint
    timestamp: bigint
    parentHash: Hash
    parentBeaconBlockRoot: Hash
  }): Promise<void> {
    this.#machine.world = this.#world
    await runBlockStart(this.#machine, startEnvironment(block), block)
  }

  async call(message: CallMessage, rules: CallRules): Promise<CallOutcome> {
    const machine = {
      ...this.#machine,
      world: this.#world,
      budget: this.#budget,
      precompileView: rules.precompiles,
      logsTransfers: rules.traceTransfers ?? false,
    }
    const run = () => this.#call(machine, message, rules)
    const { feeRecipient } = rules.environment
    return this.#tracer
      ? traceTransaction(machine, this.#tracer, message, [feeRecipient], run)
      : run()
  }

  async commit(): Promise<Hash> {
    return this.#world.flush(this.#store)
  }

  async #call(machine: Machine, message: CallMessage, rules: CallRules): Promise<CallOutcome> {
    const world = this.#world
    const { environment, validate } = rules
    const { from, gas, value } = message
    const sender = await world.entry(from)
    if (validate) checkNonce(sender, message.nonce ?? sender.nonce)
    const { price, cap } = gasPrice(message, environment.baseFeePerGas, validate)
    checkFunds(sender, gas * cap + value)
    checkIntrinsicGas(message)
    const nonce = BigInt.asUintN(64, sender.nonce + 1n)
    world.update(sender, { nonce, balance: sender.balance - gas * price })
    const outcome = await runMessage(machine, { ...message, gasPrice: price }, environment)
    const { gasUsed, destroyed } = outcome
    const tip = price > environment.baseFeePerGas ? price - environment.baseFeePerGas : 0n
    const miner = await world.entry(environment.feeRecipient)
    if (price > 0n) {
      world.update(sender, { balance: sender.balance + (gas - gasUsed) * price })
      world.update(miner, { balance: miner.balance + gasUsed * tip })
    }
    await world.endTransaction(destroyed)
    const { status, maxUsedGas, output, logs, contractAddress, halt } = outcome
    return { status, gasUsed, maxUsedGas, output, logs, contractAddress, ...(halt ? { halt } : {}) }
  }
}

/** What the caller pays per gas, and the cap its balance is checked against. */
function gasPrice(
  message: CallMessage,
  baseFee: bigint,
  validate: boolean,
): { price: bigint; cap: bigint } {
  const cap = message.gasPrice ?? message.maxFeePerGas ?? 0n
  const tip = message.gasPrice ?? message.maxPriorityFeePerGas ?? 0n
  // Without validation a call that names no fee is free, as with geth's NoBaseFee.
  if (!validate && cap === 0n && tip === 0n) return { price: 0n, cap: 0n }
  checkFees({ maxFeePerGas: cap, maxPriorityFeePerGas: tip }, baseFee)
  return { price: bigIntMin(cap, baseFee + tip), cap }
}

function startEnvironment(block: { number: bigint; timestamp: bigint }): BlockEnvironment {
  return {
    number: block.number,
    timestamp: block.timestamp,
    feeRecipient: '0x0000000000000000000000000000000000000000',
    gasLimit: 30_000_000n,
    baseFeePerGas: 0n,
    prevRandao: `0x${'00'.repeat(32)}`,
    blobBaseFee: 1n,
    blockHash: async () => undefined,
  }
}
