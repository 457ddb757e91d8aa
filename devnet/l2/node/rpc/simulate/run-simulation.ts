import type { Scratch } from '#protocol/execution/executor'
import type { Header } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { CallContext } from '../calls/run-call.ts'
import type { KeptStart } from './kept-start.ts'
import { LayeredStore } from './layered-store.ts'
import { runSimulatedBlock } from './run-simulated-block.ts'
import type { SimulatedBlockWriter } from './simulated-block-writer.ts'
import type { SimulatedBlock, Simulation } from './simulation.ts'

/** What simulations run on. */
export interface SimulationContext extends CallContext {
  /** Where the last one began; without, each begins anew. */
  start?: KeptStart
  writer: SimulatedBlockWriter
}

/**
 * Runs planned blocks one upon the other on a private copy of the state: every call and block sees
 * what the earlier ones did (OPEN-28…36).
 *
 * @throws JsonRpcError of the whole simulation, -38010 to -38025
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
  const open = () => context.executor.openScratch({ store, stateRoot, budget: context.budget })
  const start = isCommitted ? undefined : context.start
  let scratch: Scratch | undefined
  const begin = async (header: Header) => {
    if (!scratch && start) {
      scratch = await start.take(open, stateRoot, header)
    } else {
      scratch ??= open()
      await scratch.applyBlockStart(header)
    }
    return scratch
  }
  const hashes = new Map<bigint, Hash>([[base.header.number, base.hash]])
  const blockHash = async (number: bigint) =>
    hashes.get(number) ??
    (number < base.header.number ? await context.blockHash(number) : undefined)

  const { writer } = context
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
      signal,
    })
    gasPool -= block.header.gasUsed
    hashes.set(block.header.number, block.hash)
    parent = block
    simulated.push(block)
  }
  if (scratch) start?.giveBack(scratch)
  return simulated
}
