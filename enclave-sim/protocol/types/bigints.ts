/** What Math.max and Math.min are for numbers. */

export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
