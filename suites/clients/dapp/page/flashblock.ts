/** Milliseconds: to ask more often is to hear the same twice. */
export const FLASHBLOCK = 200
