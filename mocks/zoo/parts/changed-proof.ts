import type { Request, Tee } from '../resign-proof.ts'
import { rewriteResult } from '../rewrites.ts'

const PROVE = 'prover_prove'

/** Changes a proof, knowing what was asked for. */
export const changedProof = (change: (tee: Tee, request: Request) => unknown) =>
  rewriteResult(PROVE, (result, { params }) =>
    change((result as { Tee: Tee }).Tee, params[0] as Request),
  )
