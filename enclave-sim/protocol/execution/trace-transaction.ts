import { setLengthLeft } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { recoverAuthority } from '../transaction/authorization.ts'
import type { Address } from '../types/bytes.ts'
import type { Authorization } from '../types/transaction.ts'
import { createdAddress } from './created-address.ts'
import { FrameWatch } from './frame-watch.ts'
import type { Machine } from './machine.ts'
import type { StateView, TracedOutcome, Tracer } from './tracer.ts'

interface TraceableMessage {
  from: Address
  to: Address | null
  gas: bigint
  value: bigint
  data: Uint8Array
  authorizationList?: readonly Authorization[]
}

/**
 * Runs a transaction or call with a tracer listening.
 * @param feeRecipients whose balance its fee changes
 * @throws what `run` or a hook of the tracer throws
 */
export async function traceTransaction<T extends TracedOutcome>(
  machine: Machine,
  tracer: Tracer,
  message: TraceableMessage,
  feeRecipients: readonly Address[],
  run: () => Promise<T>,
): Promise<T> {
  const { world } = machine
  const { from, gas, value, data, authorizationList = [] } = message
  const { nonce } = await world.entry(from)
  const start = {
    from,
    to: message.to ?? createdAddress(from, nonce),
    isCreation: message.to === null,
    gas,
    value,
    data,
    feeRecipients,
    authorities: authorizationList.map(recoverAuthority).filter((found) => found !== undefined),
  }
  await tracer.onStart?.(start, stateView(machine))
  machine.watch = new FrameWatch(machine.engine, tracer)
  const outcome = await run().finally(() => {
    machine.watch = undefined
  })
  await tracer.onEnd?.(outcome)
  return outcome
}

function stateView(machine: Machine): StateView {
  const { world, engine } = machine
  return {
    async account(address) {
      const changed = machine.isRunning ? engine.peekAccount(hexToBytes(address)) : undefined
      const entry = await world.entry(address)
      const { nonce, balance } = changed ?? entry
      return { nonce, balance, code: changed?.code ?? (await world.code(entry)) }
    },
    async storage(address, slot) {
      const changed = machine.isRunning
        ? engine.peekSlot(hexToBytes(address), hexToBytes(slot))
        : undefined
      if (changed) return bytesToHex(changed)
      return bytesToHex(setLengthLeft(await world.slot(await world.entry(address), slot), 32))
    },
  }
}
