/** A quantity that is one too large; hex without leading zeros. */
export const plusOne = (quantity: unknown) => `0x${(BigInt(String(quantity)) + 1n).toString(16)}`
