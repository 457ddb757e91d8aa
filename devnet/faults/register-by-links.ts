import type { FaultEngine } from './fault-engine.ts'

/** Faults that are made by a fault of a link: a batcher whose link to L1 is cut posts nothing. */
export function registerByLinks(engine: FaultEngine): void {
  const by = async (
    link: string,
    fault: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ) => {
    const { id } = await engine.inject(link, fault, parameters)
    return async () => {
      await engine.clear(id)
    }
  }
  engine.register('chain:l2', () => by('link:batcher-l1', 'down'), ['batcher_silent'])
  engine.register(
    'registry:l1',
    (fault, { delay }) =>
      fault === 'slow'
        ? by('link:host-registry', 'latency', { latency: delay })
        : by('link:host-registry', 'half_open'),
    ['silent', 'slow'],
  )
}
