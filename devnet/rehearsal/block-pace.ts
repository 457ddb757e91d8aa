/** Milliseconds from a block to the next before Denim, and since. */
export const SLOW = 2_000
export const FAST = 200
