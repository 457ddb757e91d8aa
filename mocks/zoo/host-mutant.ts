import type { HostChange } from '#mocks/host/host-changes'
import { type Mutant, type MutantContext, mutantsOf } from './mutant.ts'

const make = mutantsOf('host', 'host')

/** A prover host that is started, or stands behind something, in a wrong way. */
export function hostMutant(
  rule: string,
  name: string,
  says: string,
  change: (context: MutantContext) => HostChange,
): Mutant {
  return make(rule, name, says, (context) => ({ host: change(context) }))
}
