import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { EngineFault } from '../evm/engine-fault.ts'
import type { Hash } from '../types/bytes.ts'
import type { BlockEnvironment } from './executor.ts'
import type { Machine } from './machine.ts'
import { openMessage } from './open-message.ts'
import { BEACON_ROOTS, HISTORY_STORAGE, SYSTEM_ADDRESS } from './predeploys.ts'
import { runEngine, runEngineAtHand } from './run-engine.ts'
import { takeOver } from './run-message.ts'

/** EIP-4788 and EIP-2935: what a system call may use; it counts for no one. */
const SYSTEM_CALL_GAS = 30_000_000n
const CALLER = hexToBytes(SYSTEM_ADDRESS)
const BEACON_ROOT_KEEPER = hexToBytes(BEACON_ROOTS)
const BLOCK_HASH_KEEPER = hexToBytes(HISTORY_STORAGE)

/**
 * The calls before a block's first transaction: EIP-4788 stores the parent beacon block root, then
 * EIP-2935 the parent's hash. Without the contracts in the state they do nothing.
 * @returns where the engine broke: such a call has failed
 * @throws EngineExhausted
 */
export async function runBlockStart(
  machine: Machine,
  environment: BlockEnvironment,
  roots: { parentHash: Hash; parentBeaconBlockRoot: Hash },
): Promise<EngineFault[]> {
  const faults = [
    await systemCall(machine, environment, BEACON_ROOT_KEEPER, roots.parentBeaconBlockRoot),
    await systemCall(machine, environment, BLOCK_HASH_KEEPER, roots.parentHash),
  ]
  return faults.filter((fault) => fault !== undefined)
}

async function systemCall(
  machine: Machine,
  environment: BlockEnvironment,
  target: Uint8Array,
  input: Hash,
): Promise<EngineFault | undefined> {
  const { engine, world } = machine
  openMessage(machine, environment, { origin: CALLER, gasPrice: 0n }, SYSTEM_CALL_GAS)
  engine.begin({
    caller: CALLER,
    target,
    isCreation: false,
    value: 0n,
    gas: SYSTEM_CALL_GAS,
    input: hexToBytes(input),
  })
  try {
    // Most of what it needs was there for the last block: then nothing is waited for.
    const { halt } = runEngineAtHand(machine) ?? { halt: await runEngine(machine, environment) }
    // The caller is touched and empty, so it leaves no account behind (EIP-161).
    world.endTransaction(halt ? [] : takeOver(machine, engine.takeChanges()))
    return undefined
  } catch (fault) {
    if (!(fault instanceof EngineFault)) throw fault
    world.endTransaction()
    return fault
  }
}
