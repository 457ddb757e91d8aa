import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { Address } from '../types/bytes.ts'
import type { BlockEnvironment } from './executor.ts'
import { engineContext, type Machine } from './machine.ts'
import { WorldHost } from './world-host.ts'

/**
 * Has the engine make ready for a message on the machine's world. What the messages before it have read and
 * done is there; only what others have changed since is read again.
 * @throws EngineExhausted
 */
export function openMessage(
  machine: Machine,
  environment: BlockEnvironment,
  transaction: { from: Address; gasPrice: bigint },
  gas: bigint,
): void {
  const { engine, world, readState } = machine
  const context = engineContext(machine, environment, transaction)
  engine.open(context, new WorldHost(world), gas, readState ?? world.lineage)
  for (const { address } of world.takeChanged()) engine.readAgain(hexToBytes(address))
  if (!readState) return
  // What the last caller has paid was in a world of its own.
  if (readState.caller) engine.readAgain(hexToBytes(readState.caller))
  readState.caller = transaction.from
}
