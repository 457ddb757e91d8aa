import type { BaseLogger } from 'pino'
import secp256k1 from 'secp256k1'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { addressOf } from '#protocol/journal/signer'
import type { Address } from '#protocol/types/bytes'
import { plainError } from '../plain-error.ts'
import { type ProverClient, proverClient } from '../prover-client.ts'

/** A prover host by the name it has in logs: its URL. */
export interface ProverHost {
  name: string
  rpc: RpcClient
}

/** A host that answered, and the signers of its enclaves in its order. */
export interface DiscoveredHost {
  name: string
  client: ProverClient
  signers: Address[]
}

/** Asks every host for its enclaves' keys; those that do not answer well are logged and left out. */
export async function discoverSigners(
  hosts: readonly ProverHost[],
  logger: BaseLogger,
): Promise<DiscoveredHost[]> {
  const answers = await Promise.all(
    hosts.map(async ({ name, rpc }) => {
      const client = proverClient(rpc)
      try {
        const keys = await client.signerPublicKeys()
        return { name, client, signers: keys.map((key) => signerOfKey(key, name)) }
      } catch (error) {
        logger.warn({ host: name, reason: plainError(error).message }, 'host not reached')
        return undefined
      }
    }),
  )
  return answers.filter((answer) => answer !== undefined)
}

/** A key with one wrong bit is no point of the curve: taken for another's, the right one would be struck off. */
function signerOfKey(key: Uint8Array, host: string): Address {
  if (key.length === 65 && key[0] === 4 && secp256k1.publicKeyVerify(key)) return addressOf(key)
  throw new RollbedError(
    'SIGNER_KEY_MALFORMED',
    `${host} has a key that is no point of secp256k1 in 65 bytes, 04 first.`,
  )
}
