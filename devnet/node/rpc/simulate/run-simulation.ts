import type { Hash } from '../../../../enclave-sim/protocol/types/bytes.ts'
import type { CallGround } from '../calls/run-call.ts'
import { LayeredStore } from './layered-store.ts'
import { runSimulatedBlock } from './run-simulated-block.ts'
import type { SimulatedBlock, SimulationRequest } from './simulation.ts'

/**
 * Runs planned blocks one upon the other on a private copy of the state: every call and block sees
 * what the earlier ones did (OPEN-28…36).
 *
 * @throws JsonRpcError of the whole simulation, -38010 to -38025
 */
export async function runSimulation(
  ground: CallGround,
  request: SimulationRequest,
  signal: AbortSignal,
): Promise<SimulatedBlock[]> {
  const { base, blocks, profile } = request
  const scratch = ground.executor.openScratch({
    store: profile.simulateStateRoot === 'zero' ? ground.store : new LayeredStore(ground.store),
    stateRoot: base.header.stateRoot,
    budget: ground.budget,
  })
  const hashes = new Map<bigint, Hash>([[base.header.number, base.hash]])
  const blockHash = async (number: bigint) =>
    hashes.get(number) ?? (number < base.header.number ? await ground.blockHash(number) : undefined)

  const simulated: SimulatedBlock[] = []
  let parent = base
  let gasPool = request.gasCap
  for (const planned of blocks) {
    const result = await runSimulatedBlock(planned, {
      request,
      scratch,
      parent,
      gasPool,
      blockHash,
      signal,
    })
    const { block } = result
    gasPool -= block.header.gasUsed
    hashes.set(block.header.number, block.hash)
    parent = block
    simulated.push(result)
  }
  return simulated
}
