import type { Mutant } from '../mutant.ts'
import { CHALLENGER_MUTANTS } from './challenger-mutants.ts'
import { CLIENT_MUTANTS } from './client-mutants.ts'
import { PROPOSER_MUTANTS } from './proposer-mutants.ts'
import { REGISTRAR_MUTANTS } from './registrar-mutants.ts'

/** Callers with one mistake, made in the source of our own. */
export const CALLER_MUTANTS: readonly Mutant[] = [
  ...PROPOSER_MUTANTS,
  ...CHALLENGER_MUTANTS,
  ...REGISTRAR_MUTANTS,
  ...CLIENT_MUTANTS,
]
