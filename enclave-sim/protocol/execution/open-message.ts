import type { BlockEnvironment } from './executor.ts'
import { engineContext, type Machine } from './machine.ts'
import { WorldHost } from './world-host.ts'
import { addressBytes } from './world-state.ts'

/**
 * Has the engine make ready for a message on the machine's world. What the messages before it have read and
 * done is there; only what others have changed since is read again.
 * @param transaction who sends it, 20 bytes, and what GASPRICE answers
 * @throws EngineExhausted
 */
export function openMessage(
  machine: Machine,
  environment: BlockEnvironment,
  transaction: { origin: Uint8Array; gasPrice: bigint },
  gas: bigint,
): void {
  const { engine, world, readState } = machine
  const context = engineContext(machine, environment, transaction)
  engine.open(context, new WorldHost(world), gas, readState ?? world.lineage)
  for (const entry of world.takeChanged()) engine.readAgain(addressBytes(entry))
  if (!readState) return
  // What the last caller has paid was in a world of its own.
  if (readState.caller) engine.readAgain(readState.caller)
  readState.caller = transaction.origin
}
