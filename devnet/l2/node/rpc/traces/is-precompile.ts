import type { Address } from '#protocol/types/bytes'

/** P256VERIFY (OP specs, Fjord). */
const P256_VERIFY = 0x100n
/** The last of Prague's. */
const LAST = 0x11n

export function isPrecompile(address: Address): boolean {
  const number = BigInt(address)
  return (number > 0n && number <= LAST) || number === P256_VERIFY
}
