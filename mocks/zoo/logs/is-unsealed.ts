import type { JsonObject } from '../mutant.ts'

/** Whether a log is pre-confirmed: no block has it yet. */
export const isUnsealed = ({ blockHash }: JsonObject) => /^0x0*$/.test(String(blockHash ?? '0x'))
