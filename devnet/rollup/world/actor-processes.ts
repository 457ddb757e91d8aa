import { ACTOR_PARTS } from '../parts/actor-parts.ts'
import { SimulatedPart } from './simulated-part.ts'
import type { WorldContext } from './world-context.ts'

/** Proposer, challenger and registrar, each a process of its own. */
export function actorProcesses(context: WorldContext): SimulatedPart[] {
  const { contracts, root, recorder, faults, logger, clock, parts } = context.ground
  return ACTOR_PARTS.map(({ name }) => {
    const part = parts[name]
    return new SimulatedPart({
      name,
      clock: name === 'registrar' ? context.clockOf('registrar') : clock,
      recorder,
      faults,
      async start(process) {
        part.start(context.contextOf(part, process), {
          ...{ contracts, trustedRoot: root.certificate, logger },
          onOutcome({ kind, idle }) {
            if (!idle) recorder.record(name, 'outcome', { kind })
          },
        })
      },
    })
  })
}
