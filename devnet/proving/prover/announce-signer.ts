import type { BaseLogger } from 'pino'
import { addressOf } from '#protocol/journal/signer'
import type { Address } from '#protocol/types/bytes'
import type { EnclaveClient } from './enclave-client.ts'

/**
 * The same enclave, which logs its signer the first time it is seen, and again when a restart has
 * brought another. The address alone is logged: nothing of keys belongs in a log (ENC-START-06).
 */
export function announceSigner(enclave: EnclaveClient, logger: BaseLogger): EnclaveClient {
  let known: Address | undefined
  return {
    ...enclave,
    async signerPublicKey() {
      const key = await enclave.signerPublicKey()
      const signer = addressOf(key)
      if (signer !== known) logger.info({ cid: enclave.cid, signer }, 'signer seen')
      known = signer
      return key
    },
  }
}
