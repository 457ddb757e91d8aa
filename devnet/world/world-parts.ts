import { verifyInTurns } from '../../enclave-sim/protocol/oracle/verified-oracle.ts'
import { runProgram } from '../../enclave-sim/protocol/proof/run-program.ts'
import { startBatcher } from '../batcher/start-batcher.ts'
import { openCodeRegistry } from '../builder-codes/code-registry.ts'
import { startChallenger } from '../challenger/start-challenger.ts'
import { nodeMethods } from '../node/rpc/node-methods.ts'
import { startProposer } from '../proposer/start-proposer.ts'
import { hostMethods } from '../prover/host-methods.ts'
import { startRegistrar } from '../registrar/start-registrar.ts'
import { startSafeHead } from '../safe-head/start-safe-head.ts'
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
