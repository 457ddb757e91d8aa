import type { Hex } from '../wire/hex.ts'

/** Hex with its digits as capitals: the same bytes to whoever reads both (OPEN-57). */
export const inCapitals = (hex: string) => `0x${hex.slice(2).toUpperCase()}` as Hex
