import type { Preimage } from '../../enclave-sim/protocol/oracle/preimage-oracle.ts'
import { verifyInTurns } from '../../enclave-sim/protocol/oracle/verified-oracle.ts'
import { runProgram } from '../../enclave-sim/protocol/proof/run-program.ts'
import type { TeeProof } from '../../enclave-sim/protocol/proof/types.ts'
import { seededRng } from '../../enclave-sim/protocol/random/rng.ts'
import { bootLocal } from '../../enclave-sim/server/boot-identity.ts'
import { createEnclave } from '../../enclave-sim/server/create-enclave.ts'
import {
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
} from '../../enclave-sim/wire/messages.ts'
import type { World } from './random-world.ts'

/** What came of a request to prove. */
export interface Verdict {
  /** undefined: refused. */
  proof: TeeProof | undefined
  refusal: string | undefined
  /** How often the signer was used, whatever was answered. */
  signatures: number
}

/** The enclave as it is built, over its wire encoding, with an eye on its signer. */
export async function judge(
  { config }: Pick<World, 'config'>,
  preimages: readonly Preimage[],
): Promise<Verdict> {
  const { signer, ...identity } = bootLocal(seededRng('safety'))
  let signatures = 0
  const sign = (journal: Uint8Array) => {
    signatures += 1
    return signer.sign(journal)
  }
  const chains = new Map([[BigInt(config.l2ChainId), config]])
  const enclave = createEnclave({
    identity: { ...identity, signer: { ...signer, sign } },
    program: async (pairs) => runProgram(await verifyInTurns(pairs), { chains }),
    log: () => undefined,
  })
  const pairs = preimages.map(({ key, value }) => ({ key, value }))
  const request = decodeRequest(encodeRequest({ kind: 'Prove', preimages: pairs }))
  const response = decodeResponse(encodeResponse(await enclave.handle(request)))
  return {
    proof:
      response.kind === 'Prove' && response.result.kind === 'Tee' ? response.result : undefined,
    refusal: response.kind === 'Error' ? response.message : undefined,
    signatures,
  }
}
