import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { Engine } from '../evm/engine.ts'
import type { EngineContext } from '../evm/engine-message.ts'
import type { ExecutionConfig } from '../types/execution-config.ts'
import type { Rules } from '../upgrades/upgrade-table.ts'
import { EngineBlocks } from './engine-blocks.ts'
import type { BlockEnvironment, PrecompileView } from './executor.ts'
import type { FrameWatch } from './frame-watch.ts'
import { type PrecompileEra, type Precompiles, precompilesOf } from './precompiles.ts'
import type { WorldState } from './world-state.ts'

/** A state that calls are run on whose effects nobody sees, told by identity. */
export interface ReadState {
  /** Of the last call: its account is not as the state has it. */
  caller?: Uint8Array
}

/** One EVM with the rules of an OP chain. It runs one message at a time on `world`. */
export interface Machine {
  config: ExecutionConfig
  engine: Engine
  blocks: EngineBlocks
  /** What runs at which address, by era. */
  precompiles: Record<PrecompileEra, Precompiles>
  world: WorldState
  /** Where precompiles were moved; undefined: nowhere. */
  precompileView: PrecompileView | undefined
  /** Value transfers emit logs (only for simulations). */
  logsTransfers: boolean
  /** Outcomes have logs as the engine has them (only for simulations). */
  tellsRawLogs: boolean
  /** Gas that a message may use before BudgetSpent is thrown; undefined: all it has. */
  budget: bigint | undefined
  /** Who hears every step. */
  watch: FrameWatch | undefined
  /** What a call is run on whose effects nobody sees; undefined: they go into the world. */
  readState: ReadState | undefined
  /** Between two steps of a message: what the world does not know yet, the engine does. */
  isRunning: boolean
}

/** @param engine that nothing else uses */
export async function createMachine(
  config: ExecutionConfig,
  engine: Engine = new Engine(),
): Promise<Machine> {
  const prague = await precompilesOf(config.fork)
  // Where no upgrade comes, nobody asks for the others.
  const osaka = config.upgrades ? await precompilesOf(config.fork, 'osaka') : prague
  return {
    config,
    engine,
    blocks: new EngineBlocks(config),
    precompiles: { prague, osaka },
    world: undefined as never,
    precompileView: undefined,
    logsTransfers: false,
    tellsRawLogs: false,
    budget: undefined,
    watch: undefined,
    readState: undefined,
    isRunning: false,
  }
}

/** The precompiles of a block. */
export function precompilesAt(machine: Machine, environment: BlockEnvironment): Precompiles {
  const { osaka, prague } = machine.precompiles
  return rulesOf(machine, environment).hasOsakaEvm ? osaka : prague
}

/** What upgrades say of a block. */
export function rulesOf({ blocks }: Machine, environment: BlockEnvironment): Rules {
  return blocks.of(environment).rules
}

/** What a message sees of its block and its transaction. */
export function engineContext(
  machine: Machine,
  environment: BlockEnvironment,
  { origin, gasPrice }: { origin: Uint8Array; gasPrice: bigint },
): EngineContext {
  const { blocks, precompileView, logsTransfers, precompiles } = machine
  const { block, rules } = blocks.of(environment)
  const { addresses } = rules.hasOsakaEvm ? precompiles.osaka : precompiles.prague
  return {
    block,
    origin,
    gasPrice,
    precompiles: precompileView
      ? [...precompileView.keys()].map((address) => hexToBytes(address))
      : addresses,
    precompilesAreMoved: precompileView !== undefined,
    isOsaka: rules.hasOsakaEvm,
    logsTransfers,
  }
}
