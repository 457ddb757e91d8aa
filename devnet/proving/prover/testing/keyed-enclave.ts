import { hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import type { EnclaveClient } from '../enclave-client.ts'

/** Keys of enclaves 0, 1 and 2. */
export const enclaveAccounts = [1, 2, 3].map((n) =>
  privateKeyToAccount(`0x${'00'.repeat(31)}0${n}`),
)

/** An enclave with the key of account `index` that says nothing else; or one that is down. */
export function keyedEnclave(index: number, down = false): EnclaveClient {
  return {
    cid: 16 + index,
    signerPublicKey: async () => {
      if (down) throw new Error('connect failed: refused')
      return hexToBytes(enclaveAccounts[index]!.publicKey)
    },
    signerAttestation: () => Promise.reject(new Error('not asked')),
    prove: () => Promise.reject(new Error('not asked')),
  }
}
