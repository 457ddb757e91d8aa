import type { PlayedPlan } from '../../devnet/faults/fault-engine.ts'
import type { FaultPlan } from '../../devnet/faults/fault-plan.ts'
import type { World } from '../../devnet/world/world.ts'
import { Clients } from './loads/clients.ts'

/** Lets a plan begin in a world: its faults and its load, in this order at each moment. */
export function startWeather(
  world: World,
  plan: FaultPlan,
): { clients: Clients; played: PlayedPlan } {
  const clients = new Clients(world)
  clients.start(plan.load)
  return { clients, played: world.faults.play(plan) }
}
