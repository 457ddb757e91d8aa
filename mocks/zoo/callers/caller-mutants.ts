import type { Mutant } from '../mutant.ts'
import { CHALLENGER_MUTANTS } from './challenger-mutants.ts'
import { CLAIM_MUTANTS } from './claim-mutants.ts'
import { CLIENT_MUTANTS } from './client-mutants.ts'
import { LINE_MUTANTS } from './line-mutants.ts'
import { LOOKOUT_MUTANTS } from './lookout-mutants.ts'
import { OVERLOOKING_MUTANTS } from './overlooking-mutants.ts'
import { PROPOSER_MUTANTS } from './proposer-mutants.ts'
import { REGISTRAR_MUTANTS } from './registrar-mutants.ts'
import { REGISTRY_MUTANTS } from './registry-mutants.ts'
import { REQUEST_MUTANTS } from './request-mutants.ts'
import { SENDING_MUTANTS } from './sending-mutants.ts'
import { STANDSTILL_MUTANTS } from './standstill-mutants.ts'

/** Callers with one mistake, made in the source of our own. */
export const CALLER_MUTANTS: readonly Mutant[] = [
  ...PROPOSER_MUTANTS,
  ...CLAIM_MUTANTS,
  ...CHALLENGER_MUTANTS,
  ...LOOKOUT_MUTANTS,
  ...OVERLOOKING_MUTANTS,
  ...REQUEST_MUTANTS,
  ...SENDING_MUTANTS,
  ...STANDSTILL_MUTANTS,
  ...REGISTRAR_MUTANTS,
  ...REGISTRY_MUTANTS,
  ...CLIENT_MUTANTS,
  ...LINE_MUTANTS,
]
