import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { decodeRlp } from '../bytes/decode-rlp.ts'
import { encodeRlp } from '../bytes/encode-rlp.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Account } from '../types/account.ts'

/** The value of an account in the state trie: rlp(nonce, balance, storage root, code hash). */
export function encodeAccount(account: Account): Uint8Array {
  return encodeRlp([account.nonce, account.balance, account.storageRoot, account.codeHash])
}

/**
 * The inverse of `encodeAccount`.
 * @throws RollbedError ACCOUNT_MALFORMED
 */
export function decodeAccount(bytes: Uint8Array): Account {
  const items = decodeRlp(bytes, 1)
  if (!Array.isArray(items) || items.length !== 4) throw malformed()
  const [nonce, balance, storageRoot, codeHash] = items.map((item) => {
    if (!(item instanceof Uint8Array)) throw malformed()
    return item
  })
  return {
    nonce: bytesToBigInt(nonce!),
    balance: bytesToBigInt(balance!),
    storageRoot: bytesToHex(storageRoot!),
    codeHash: bytesToHex(codeHash!),
  }
}

function malformed(): RollbedError {
  return new RollbedError('ACCOUNT_MALFORMED', 'The state trie holds a value that is no account.')
}
