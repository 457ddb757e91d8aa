import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { EngineExit, isOver } from '../evm/engine-exit.ts'
import { BudgetSpent } from './budget-spent.ts'
import type { BlockEnvironment } from './executor.ts'
import type { Halt } from './halt.ts'
import { haltReason } from './halt.ts'
import { type Machine, precompilesAt } from './machine.ts'

const NO_HASH = new Uint8Array(32)

/**
 * Runs the message that the engine has begun, or stands still in, to its end: fetches what it misses, runs
 * precompiles, and tells the watch of every step.
 * @returns why it failed; undefined when it did not
 * @throws BudgetSpent
 */
export async function runEngine(
  machine: Machine,
  environment: BlockEnvironment,
): Promise<Halt | undefined> {
  const { engine, watch, budget } = machine
  const go = watch ? () => engine.step() : () => engine.run(budget)
  let precompileHalt: Halt | undefined
  machine.isRunning = true
  try {
    for (let exit = engine.exit || go(); !isOver(exit); exit = go()) {
      if (exceeds(exit, budget)) throw new BudgetSpent()
      if (exit === EngineExit.precompile) {
        precompileHalt = await runPrecompile(machine, environment)
      } else if (exit >= EngineExit.enter) {
        const heard = watch!.hear(exit, precompileHalt)
        if (heard) await heard
      } else await fetchMissing(machine, exit, environment)
    }
  } finally {
    machine.isRunning = false
  }
  return haltAt(engine.exit, precompileHalt)
}

/**
 * The same without waiting; undefined: the engine misses something or came to a precompile, or somebody
 * watches. `runEngine` goes on from there.
 * @throws BudgetSpent
 */
export function runEngineAtHand(machine: Machine): { halt?: Halt } | undefined {
  const { engine, budget, watch } = machine
  if (watch) return undefined
  const exit = engine.run(budget)
  if (!isOver(exit)) {
    if (exceeds(exit, budget)) throw new BudgetSpent()
    return undefined
  }
  const halt = haltAt(exit)
  return halt ? { halt } : {}
}

/** Nobody knows how long a precompile takes. */
function exceeds(exit: number, budget: bigint | undefined): boolean {
  return budget !== undefined && (exit === EngineExit.pause || exit === EngineExit.precompile)
}

function haltAt(exit: number, precompileHalt?: Halt): Halt | undefined {
  if (exit < EngineExit.revert) return undefined
  return exit === EngineExit.precompileFailed ? precompileHalt : haltReason(exit)
}

async function runPrecompile(machine: Machine, environment: BlockEnvironment) {
  const { engine, precompileView } = machine
  const call = engine.precompileCall()
  const { output, gasUsed, halt } = await precompilesAt(machine, environment).run(
    call,
    precompileView,
  )
  const failed = halt?.kind === 'out of gas' ? EngineExit.outOfGas : EngineExit.precompileFailed
  engine.finishPrecompile(halt ? failed : EngineExit.return, gasUsed, output)
  return halt
}

/** Brings to where the engine finds it what its host did not have at hand. */
async function fetchMissing(
  { engine, world }: Machine,
  exit: number,
  environment: BlockEnvironment,
) {
  if (exit === EngineExit.needsBlockHash) {
    const number = engine.missingBlock()
    const hash = await environment.blockHash(number)
    engine.tellBlockHash(number, hash ? hexToBytes(hash) : NO_HASH)
    return
  }
  const { address, slot } = engine.missing()
  const entry = await world.entry(address)
  if (slot) await world.slot(entry, slot)
  else if (exit === EngineExit.needsCode) await world.code(entry)
}
