import { readSimulation } from './read-simulation.ts'
import { runSimulation, type SimulationContext } from './run-simulation.ts'
import type { SimulationRequest } from './simulation.ts'

/**
 * The answer of eth_simulateV1 as JSON: made where the simulation runs, because a text goes from one
 * thread to another at a fraction of what its blocks, transactions and receipts would cost.
 *
 * @throws JsonRpcError -32602 where it is none; of the whole simulation, -38010 to -38026
 */
export async function simulationText(
  context: SimulationContext,
  request: SimulationRequest,
  signal: AbortSignal,
): Promise<string> {
  const blocks = await runSimulation(context, readSimulation(request), signal)
  // Not by `join`, which makes one piece of it: who sends it does so again.
  let text = ''
  for (const block of blocks) text += text === '' ? block.text : `,${block.text}`
  return `[${text}]`
}
