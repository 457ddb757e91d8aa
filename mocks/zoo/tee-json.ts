import type { JsonObject } from './mutant.ts'

/** A proof as `prover_prove` answers it. */
export interface TeeJson {
  aggregate_proposal: JsonObject
  proposals: JsonObject[]
}
