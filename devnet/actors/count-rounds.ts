import { Counter, Registry } from '#devnet/base/prometheus'
import type { Rounds } from './start-actor.ts'

/** The same rounds, counted by what they came to. Outcomes are a closed list of words. */
export function countRounds(actor: string, rounds: Rounds): { rounds: Rounds; registry: Registry } {
  const registry = new Registry()
  const counter = new Counter({
    name: 'rollbed_actor_rounds_total',
    help: 'Rounds of an actor. outcome: what it printed, or error when the round failed.',
    labelNames: ['actor', 'outcome'] as const,
    registers: [registry],
  })
  const counted: Rounds = {
    async round() {
      try {
        const outcome = await rounds.round()
        counter.inc({ actor, outcome: outcome.kind })
        return outcome
      } catch (error) {
        counter.inc({ actor, outcome: 'error' })
        throw error
      }
    },
  }
  return { rounds: counted, registry }
}
