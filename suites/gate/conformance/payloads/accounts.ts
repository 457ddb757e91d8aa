import type { Hex } from '../wire/hex.ts'

const place = (kind: string, index: number) =>
  `0x${kind}${'5ca1ab1e'.repeat(4)}${index.toString(16).padStart(6, '0')}` as Hex

/** Nobody else's: an address of a chain is a hash. */
export const CONTRACTS: readonly Hex[] = [1, 2, 3, 4].map((index) => place('c0', index))
export const SENDERS: readonly Hex[] = [1, 2].map((index) => place('a0', index))
/** Without code, balance or nonce. */
export const NOBODY: Hex = place('e0', 1)

/** Who a program may address. */
export const ADDRESSED: readonly Hex[] = [...CONTRACTS, ...SENDERS, NOBODY]
/** Wei that each sender has. */
export const SENDER_BALANCE = 10n ** 30n
