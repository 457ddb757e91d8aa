/**
 * The words every part of the project speaks. Identifiers (hashes, addresses) are lower-case 0x hex
 * strings, payload bytes are Uint8Array, quantities are bigint.
 */

export type Hex = `0x${string}`

/** 32 bytes. */
export type Hash = Hex

/** 20 bytes, lower case. */
export type Address = Hex
