import type { FaultPlan, FaultPlanInput } from '#devnet/faults/fault-plan'

/** One line for a shell that plays a plan again. */
export function againBy(plan: FaultPlan, body: 'real' | 'simulated'): string {
  const { seed, duration, world, load, faults } = plan
  const used = Object.entries(load).filter(([, rate]) => rate > 0)
  const short: FaultPlanInput = {
    seed,
    duration,
    ...(Object.keys(world).length > 0 && { world }),
    ...(used.length > 0 && { load: Object.fromEntries(used) }),
    ...(faults.length > 0 && { faults }),
  }
  // No member of a plan holds an apostrophe: names are of a list, and events of the recorder.
  const text = JSON.stringify(short).replaceAll("'", String.raw`'\''`)
  return `rollbed fault run --plan '${text}'${body === 'real' ? ' --real' : ''}`
}
