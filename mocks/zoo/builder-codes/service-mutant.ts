import { type MutantHooks, mutantsOf } from '../mutant.ts'

const service = mutantsOf('builder-codes', 'api')

/** A registration API that answers an exchange otherwise. */
export const serviceMutant = (
  rule: string,
  name: string,
  says: string,
  http: NonNullable<MutantHooks['http']>,
) => service(rule, name, says, () => ({ http }))
