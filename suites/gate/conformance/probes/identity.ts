/** The precompile that returns what it is given (Yellow Paper, appendix E). */
export const IDENTITY = `0x${'4'.padStart(40, '0')}` as const
