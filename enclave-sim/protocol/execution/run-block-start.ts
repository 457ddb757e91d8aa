import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { BlockEnvironment } from './executor.ts'
import { engineScene, type Machine } from './machine.ts'
import { BEACON_ROOTS, HISTORY_STORAGE, SYSTEM_ADDRESS } from './predeploys.ts'
import { runEngine } from './run-engine.ts'
import { takeOver } from './run-message.ts'
import { WorldHost } from './world-host.ts'

/** EIP-4788 and EIP-2935: what a system call may use; it counts for no one. */
const SYSTEM_CALL_GAS = 30_000_000n

/**
 * The calls before a block's first transaction: EIP-4788 stores the parent beacon block root, then
 * EIP-2935 the parent's hash. Without the contracts in the state they do nothing.
 */
export async function runBlockStart(
  machine: Machine,
  environment: BlockEnvironment,
  roots: { parentHash: Hash; parentBeaconBlockRoot: Hash },
): Promise<void> {
  await systemCall(machine, environment, BEACON_ROOTS, roots.parentBeaconBlockRoot)
  await systemCall(machine, environment, HISTORY_STORAGE, roots.parentHash)
}

async function systemCall(
  machine: Machine,
  environment: BlockEnvironment,
  to: Address,
  input: Hash,
): Promise<void> {
  const { engine, world } = machine
  const scene = engineScene(machine, environment, { from: SYSTEM_ADDRESS, gasPrice: 0n })
  engine.open(scene, new WorldHost(world), SYSTEM_CALL_GAS)
  engine.begin({
    caller: hexToBytes(SYSTEM_ADDRESS),
    target: hexToBytes(to),
    isCreation: false,
    value: 0n,
    gas: SYSTEM_CALL_GAS,
    input: hexToBytes(input),
  })
  const halt = await runEngine(machine, environment)
  // The caller is touched and empty, so it leaves no account behind (EIP-161).
  await world.endTransaction(halt ? [] : takeOver(machine, engine.changes()))
}
