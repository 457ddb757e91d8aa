import { openCodeRegistry } from '#devnet/builder-codes/code-registry'
import { verifyInTurns } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import { PARTS } from '../parts/parts.ts'
import { serveSubscribers } from './serve-subscribers.ts'

/** What a simulated world is made of: the parts of a real devnet, and what others are handed. */
export const WORLD_PARTS = {
  ...PARTS,
  /** In enclaves: what they are sent becomes what a proof may read. */
  verifyInTurns,
  /** In enclaves: the proof itself. */
  runProgram,
  serveSubscribers,
  openCodeRegistry,
}

export type WorldParts = typeof WORLD_PARTS
