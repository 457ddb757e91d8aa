import { parseSimulation } from './parse-simulation.ts'
import { planBlocks } from './plan-blocks.ts'
import type { Simulation, SimulationRequest } from './simulation.ts'

/**
 * What a request wants to be run, with the number and time of each block.
 * @throws JsonRpcError -32602; -38020, -38021, -38026
 */
export function readSimulation(request: SimulationRequest): Simulation {
  const { config, base, payload, times, gasCap, profile } = request
  const { entries, traceTransfers, validation, returnFullTransactions } = parseSimulation(payload)
  const fillGaps = profile.simulateGaps !== 'left out'
  return {
    config,
    base,
    blocks: planBlocks(base.header, entries, { times, fillGaps }),
    traceTransfers,
    validation,
    lendsFunds: !validation && profile.simulateFunds === 'lent',
    gasCap,
    fullTransactions: returnFullTransactions,
    profile,
  }
}
