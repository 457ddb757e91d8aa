import type { PlayedPlan } from '#devnet/faults/fault-engine'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { World } from '#devnet/rollup/world/world'
import { Clients } from './loads/clients.ts'

/**
 * Lets a plan begin in a world: its faults and its load, in this order at each moment.
 * @throws RollbedError TARGET_UNKNOWN, FAULT_UNKNOWN, before anybody loads it: who loads has to be stopped
 */
export function startWeather(
  world: World,
  plan: FaultPlan,
): { clients: Clients; played: PlayedPlan } {
  world.faults.requireAll(plan.faults)
  const clients = new Clients(world)
  clients.start(plan.load)
  return { clients, played: world.faults.play(plan) }
}
