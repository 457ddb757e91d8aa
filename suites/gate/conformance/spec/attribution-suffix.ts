import { concat, numberToHex, size, stringToHex } from 'viem'
import type { Hex } from '../wire/hex.ts'

/** The last 16 bytes of calldata with a suffix (ATTR-02). */
export const MARKER: Hex = '0x80218021802180218021802180218021'

/**
 * What ERC-8021 has behind calldata in its schema 0, which is read from its end: the codes with commas between,
 * how many bytes that is, the number of the schema, the marker.
 */
export function attributionSuffix(codes: readonly string[]): Hex {
  const text = stringToHex(codes.join(','))
  return concat([text, numberToHex(size(text), { size: 1 }), '0x00', MARKER])
}
