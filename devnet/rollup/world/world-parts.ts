import { startChallenger } from '#devnet/actors/challenger/start-challenger'
import { startProposer } from '#devnet/actors/proposer/start-proposer'
import { startRegistrar } from '#devnet/actors/registrar/start-registrar'
import { openCodeRegistry } from '#devnet/builder-codes/code-registry'
import { startBatcher } from '#devnet/l2/batcher/start-batcher'
import { nodeMethods } from '#devnet/l2/node/rpc/node-methods'
import { startSafeHead } from '#devnet/l2/safe-head/start-safe-head'
import { hostMethods } from '#devnet/proving/prover/host-methods'
import { verifyInTurns } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import { serveSubscribers } from './serve-subscribers.ts'

/** The devnet's own components that a simulated world is made of: what a real devnet runs, too. */
export const WORLD_PARTS = {
  /** In enclaves: what they are sent becomes what a proof may read. */
  verifyInTurns,
  /** In enclaves: the proof itself. */
  runProgram,
  hostMethods,
  nodeMethods,
  serveSubscribers,
  startSafeHead,
  startBatcher,
  openCodeRegistry,
  startRegistrar,
  startProposer,
  startChallenger,
}

export type WorldParts = typeof WORLD_PARTS
