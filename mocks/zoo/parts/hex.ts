/** A quantity as it is written. */
export const hex = (value: number | bigint) => `0x${value.toString(16)}`
