import type { BlockEnvironment, Scratch } from '#protocol/execution/executor'
import type { Header } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { CallContext } from '../calls/run-call.ts'
import type { KeptStart } from './kept-start.ts'
import { LayeredStore } from './layered-store.ts'
import { runSimulatedBlock } from './run-simulated-block.ts'
import type { SimulatedBlockWriter } from './simulated-block-writer.ts'
import type { SimulatedBlock, Simulation } from './simulation.ts'
import { type PaceLimits, SimulationPace } from './simulation-pace.ts'

/** What simulations run on. */
export interface SimulationContext extends Omit<CallContext, 'budget'> {
  /**
   * Where the last one began; without, each begins anew. That is cheaper where simulations are long: each call
   * is remembered to be taken back.
   */
  start?: KeptStart
  writer: SimulatedBlockWriter
  /** Beyond it a simulation is given up with BudgetSpent. Without, it goes as far as it goes, at once. */
  paceLimits?: PaceLimits | undefined
}

/**
 * Runs planned blocks one upon the other on a private copy of the state: every call and block sees
 * what the earlier ones did (OPEN-28…36).
 *
 * @throws JsonRpcError of the whole simulation, -38010 to -38025
 * @throws BudgetSpent where a call, or all together, use more gas than they may
 */
export async function runSimulation(
  context: SimulationContext,
  simulation: Simulation,
  signal: AbortSignal,
): Promise<SimulatedBlock[]> {
  const { base, blocks, profile } = simulation
  const { stateRoot } = base.header
  const isCommitted = profile.simulateStateRoot !== 'zero'
  const store = isCommitted ? new LayeredStore(context.store) : context.store
  const open = () => context.executor.openScratch({ store, stateRoot })
  const start = isCommitted ? undefined : context.start
  let scratch: Scratch | undefined
  const begin = async (header: Header, environment: BlockEnvironment) => {
    if (!scratch && start) {
      scratch = await start.take(open, stateRoot, header, environment)
    } else {
      scratch ??= open()
      await scratch.applyBlockStart(environment, header)
    }
    return scratch
  }
  const hashes = new Map<bigint, Hash>([[base.header.number, base.hash]])
  const blockHash = async (number: bigint) =>
    hashes.get(number) ??
    (number < base.header.number ? await context.blockHash(number) : undefined)

  const { writer, paceLimits } = context
  const pace = paceLimits && new SimulationPace(paceLimits)
  const simulated: SimulatedBlock[] = []
  let parent = base
  let gasPool = simulation.gasCap
  for (const planned of blocks) {
    const block = await runSimulatedBlock(planned, {
      simulation,
      begin,
      parent,
      gasPool,
      blockHash,
      writer,
      pace,
      signal,
    })
    gasPool -= block.header.gasUsed
    hashes.set(block.header.number, block.hash)
    parent = block
    simulated.push(block)
    const turn = pace?.afterBlock()
    if (turn) await turn
  }
  if (scratch) start?.giveBack(scratch)
  return simulated
}
