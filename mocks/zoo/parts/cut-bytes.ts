/** Bytes in hex, up to a number of them. */
export const cutBytes = (bytes: unknown, length: number) => String(bytes).slice(0, 2 + 2 * length)
