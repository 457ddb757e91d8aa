import type { FaultName } from './fault-catalogue.ts'
import type { FaultEffects } from './fault-effects.ts'
import type { FaultEngine } from './fault-engine.ts'

const byLink =
  (engine: FaultEngine, link: string) =>
  async (fault: FaultName, parameters?: Record<string, unknown>) => {
    const { id } = await engine.inject(link, fault, parameters)
    return async () => {
      await engine.clear(id)
    }
  }

/** A batcher whose link to L1 is cut posts nothing. */
export function silentBatcher(engine: FaultEngine): FaultEffects<'batcher_silent'> {
  const by = byLink(engine, 'link:batcher-l1')
  return { batcher_silent: () => by('down') }
}

/** A registry that is asked over a link on which everything is lost, or late. */
export function waitingRegistry(engine: FaultEngine): FaultEffects<'silent' | 'slow'> {
  const by = byLink(engine, 'link:host-registry')
  return {
    silent: () => by('half_open'),
    slow: ({ delay }) => by('latency', { latency: delay }),
  }
}
