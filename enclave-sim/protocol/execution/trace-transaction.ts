import { bytesToHex, setLengthLeft } from '@ethereumjs/util'
import { recoverAuthority } from '../transaction/authorization.ts'
import type { Address } from '../types/bytes.ts'
import type { Authorization } from '../types/transaction.ts'
import { attachTracer } from './attach-tracer.ts'
import { createdAddress } from './created-address.ts'
import type { Machine } from './machine.ts'
import type { StateView, TracedOutcome, Tracer } from './tracer.ts'
import type { WorldState } from './world-state.ts'

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
  const { world } = machine.state
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
  await tracer.onStart?.(start, stateView(world))
  const detach = attachTracer(machine, tracer)
  const outcome = await run().finally(detach)
  await tracer.onEnd?.(outcome)
  return outcome
}

function stateView(world: WorldState): StateView {
  return {
    async account(address) {
      const entry = await world.entry(address)
      return { nonce: entry.nonce, balance: entry.balance, code: await world.code(entry) }
    },
    async storage(address, slot) {
      return bytesToHex(setLengthLeft(await world.slot(await world.entry(address), slot), 32))
    },
  }
}
