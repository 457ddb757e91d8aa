import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { Engine } from '../evm/engine.ts'
import type { EngineContext } from '../evm/engine-message.ts'
import type { Address } from '../types/bytes.ts'
import type { ExecutionConfig } from '../types/execution-config.ts'
import { EngineBlocks } from './engine-blocks.ts'
import type { BlockEnvironment, PrecompileView } from './executor.ts'
import type { FrameWatch } from './frame-watch.ts'
import { type Precompiles, precompilesOf } from './precompiles.ts'
import type { WorldState } from './world-state.ts'

/** One EVM with the rules of an OP chain. It runs one message at a time on `world`. */
export interface Machine {
  config: ExecutionConfig
  engine: Engine
  blocks: EngineBlocks
  precompiles: Precompiles
  world: WorldState
  /** Where precompiles were moved; undefined: nowhere. */
  precompileView: PrecompileView | undefined
  /** Value transfers emit logs (only for simulations). */
  logsTransfers: boolean
  /** Gas that a message may use before BudgetSpent is thrown; undefined: all it has. */
  budget: bigint | undefined
  /** Who hears every step. */
  watch: FrameWatch | undefined
  /** What a call is run on whose effects nobody sees; undefined: they go into the world. */
  readState: object | undefined
  /** Between two steps of a message: what the world does not know yet, the engine does. */
  isRunning: boolean
}

/**
 * Isthmus and Jovian are both Prague for the EVM. OP spec, Isthmus: "Execution Layer".
 * @param engine that nothing else uses
 */
export async function createMachine(
  config: ExecutionConfig,
  engine: Engine = new Engine(),
): Promise<Machine> {
  return {
    config,
    engine,
    blocks: new EngineBlocks(config.chainId),
    precompiles: await precompilesOf(config.fork),
    world: undefined as never,
    precompileView: undefined,
    logsTransfers: false,
    budget: undefined,
    watch: undefined,
    readState: undefined,
    isRunning: false,
  }
}

/** What a message sees of its block and its transaction. */
export function engineContext(
  { blocks, precompiles, precompileView, logsTransfers }: Machine,
  environment: BlockEnvironment,
  transaction: { from: Address; gasPrice: bigint },
): EngineContext {
  return {
    block: blocks.of(environment),
    origin: hexToBytes(transaction.from),
    gasPrice: transaction.gasPrice,
    precompiles: precompileView
      ? [...precompileView.keys()].map((address) => hexToBytes(address))
      : precompiles.addresses,
    precompilesAreMoved: precompileView !== undefined,
    logsTransfers,
  }
}
