import { bootLocal } from '#enclave/server/boot-identity'
import { createEnclave } from '#enclave/server/create-enclave'
import {
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
} from '#enclave/wire/messages'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import { verifyInTurns } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import type { TeeProof } from '#protocol/proof/types'
import { seededRng } from '#protocol/random/rng'
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
