import { bigIntMax } from '@ethereumjs/util'
import type { Address, Hash } from '../types/bytes.ts'
import type { StateStore } from '../types/state.ts'
import type {
  BlockEnvironment,
  CallMessage,
  CallOptions,
  CallOutcome,
  CallRules,
  Scratch,
} from './executor.ts'
import { intrinsicGas } from './intrinsic-gas.ts'
import type { Machine } from './machine.ts'
import { runBlockStart } from './run-block-start.ts'
import { runCall } from './run-call.ts'
import { traceTransaction } from './trace-transaction.ts'
import type { Tracer } from './tracer.ts'
import { WorldEditor } from './world-editor.ts'
import { WorldState } from './world-state.ts'

/** A private copy of the state at `stateRoot`; nothing reaches the store before `commit`. */
export function openScratch(machine: Machine, options: ScratchOptions): Scratch {
  return new ScratchState(machine, options)
}

type ScratchOptions = CallOptions & { tracer?: Tracer }

class ScratchState extends WorldEditor implements Scratch {
  /** For a block's system calls, and for calls. */
  readonly #machine: Machine
  readonly #calls: Machine
  readonly #store: StateStore
  readonly #world: WorldState
  readonly #tracer: Tracer | undefined
  readonly #wholeBudget: bigint | undefined
  /** What is left of it. */
  #budget: bigint | undefined

  constructor(machine: Machine, { store, stateRoot, tracer, budget }: ScratchOptions) {
    const world = new WorldState(store, stateRoot)
    super(world)
    this.#machine = { ...machine, world }
    this.#calls = { ...machine, world }
    this.#store = store
    this.#world = world
    this.#tracer = tracer
    this.#wholeBudget = budget
    this.#budget = budget
  }

  async applyBlockStart(
    environment: BlockEnvironment,
    roots: { parentHash: Hash; parentBeaconBlockRoot: Hash },
  ): Promise<void> {
    await runBlockStart(this.#machine, environment, roots)
  }

  known(address: Address) {
    return this.#world.known(address)
  }

  call(message: CallMessage, rules: CallRules): CallOutcome | Promise<CallOutcome> {
    const machine = this.#calls
    machine.budget = rules.budget ?? this.#budget
    machine.precompileView = rules.precompiles
    machine.logsTransfers = rules.traceTransfers ?? false
    machine.tellsRawLogs = rules.rawLogs ?? false
    const outcome = this.#tracer
      ? this.#trace(this.#tracer, message, rules)
      : runCall(machine, message, rules)
    return outcome instanceof Promise
      ? outcome.then((later) => this.#spend(message, later))
      : this.#spend(message, outcome)
  }

  #trace(tracer: Tracer, message: CallMessage, rules: CallRules): Promise<CallOutcome> {
    const { feeRecipient } = rules.environment
    return traceTransaction(this.#calls, tracer, message, [feeRecipient], async () =>
      runCall(this.#calls, message, rules),
    )
  }

  #spend(message: CallMessage, outcome: CallOutcome): CallOutcome {
    if (this.#budget === undefined) return outcome
    // What a message costs by its form takes no time.
    const executed = outcome.maxUsedGas - intrinsicGas(message).gas
    this.#budget = bigIntMax(this.#budget - executed, 0n)
    return outcome
  }

  mark(): void {
    this.#world.allowRewind()
  }

  rewind(): void {
    this.#world.rewind(0)
    this.#budget = this.#wholeBudget
  }

  async commit(): Promise<Hash> {
    return this.#world.flush(this.#store)
  }
}
