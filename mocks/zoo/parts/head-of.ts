import type { MutantContext } from '../mutant.ts'

/** The height of the newest block. */
export const headOf = async ({ ask }: MutantContext) => BigInt(String(await ask('eth_blockNumber')))
