import { answering } from '#mocks/host/host-changes'
import { hostMutant } from '../host-mutant.ts'
import type { Mutant } from '../mutant.ts'

/** A host that was started answers so. */
export const served = (rule: string, name: string, says: string, apply: Mutant['apply']) =>
  hostMutant(rule, name, says, (context) => answering(context.clock, () => apply(context)))
