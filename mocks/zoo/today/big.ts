/** A quantity as a number. */
export const big = (value: unknown) => BigInt(String(value))
