import type { Preimage } from '#suites/gate/conformance/spec/enclave-payloads'
import { handed } from '../handed-request.ts'

/** An enclave that is handed other pairs. */
export const changePreimages = (change: (preimages: Preimage[]) => Preimage[]) =>
  handed((request) =>
    request.kind === 'Prove' ? { ...request, preimages: change(request.preimages) } : request,
  )
