import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { Engine } from '#protocol/evm/engine'
import { withEngine } from '#protocol/evm/with-engine'
import { createExecutor } from '#protocol/execution/create-executor'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { CallContext } from '../calls/run-call.ts'
import { openReplay } from './replay.ts'
import { TraceBudget } from './trace-budget.ts'
import type { WitnessOutcome, WitnessRequest } from './trace-runner.ts'

/**
 * Executes a block to its roots and tells what it has read: also the siblings of what it deletes,
 * which only the new root needs.
 */
export function makeWitness(
  context: CallContext,
  replay: WitnessRequest,
  signal: AbortSignal,
): Promise<WitnessOutcome> {
  // One that has seen code would not read it again.
  return withEngine((engine) => makeWitnessOn(engine, context, replay, signal))
}

async function makeWitnessOn(
  engine: Engine,
  context: CallContext,
  replay: WitnessRequest,
  signal: AbortSignal,
): Promise<WitnessOutcome> {
  const budget = new TraceBudget(signal)
  const store = new ReadRecorder(context.store)
  let oldestAncestor = replay.parent.number
  const blockHash = (number: bigint) => {
    if (number < oldestAncestor) oldestAncestor = number
    return context.blockHash(number)
  }
  const executor = await createExecutor(replay.config, engine)
  const block = await openReplay({ executor, store, blockHash }, replay)
  for (const transaction of replay.transactions) {
    await budget.takeTurns()
    await block.execute(transaction).catch(skipInvalid)
  }
  await block.checkpoint()
  const touched = block.touched()
  const keys = touched.flatMap<Hex>(({ address, slots }) => [address, ...slots])
  return { witness: { ...store.reads(), keys }, oldestAncestor }
}

/** As a payload builder does with attributes that hold one. */
function skipInvalid(error: unknown): void {
  if (!(error instanceof TransactionInvalid)) throw error
}

/** Remembers what is read of a store, and keeps to itself what is written. */
class ReadRecorder implements StateStore {
  readonly #store: StateStore
  readonly #nodes = new Map<Hash, Uint8Array>()
  readonly #codes = new Map<Hash, Uint8Array>()
  readonly #written = new Map<Hash, Uint8Array>()

  constructor(store: StateStore) {
    this.#store = store
  }

  get(hash: Hash, kind?: 'code'): Uint8Array | undefined {
    const own = this.#written.get(hash)
    if (own) return own
    const value = this.#store.get(hash, kind)
    if (value) (kind === 'code' ? this.#codes : this.#nodes).set(hash, value)
    return value
  }

  async fetch(hash: Hash, kind: 'node' | 'code'): Promise<void> {
    await this.#store.fetch?.(hash, kind)
  }

  put(hash: Hash, value: Uint8Array): void {
    this.#written.set(hash, value)
  }

  reads(): { state: Hex[]; codes: Hex[] } {
    return {
      state: [...this.#nodes.values()].map((node) => bytesToHex(node)),
      codes: [...this.#codes.values()].map((code) => bytesToHex(code)),
    }
  }
}
