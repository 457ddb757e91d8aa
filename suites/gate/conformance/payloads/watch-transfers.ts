import type { EVM, EVMResult, Message } from '@ethereumjs/evm'
import type { Hex } from '../wire/hex.ts'

/** Ether that moved from one account to another. */
export interface Transfer {
  from: Hex
  to: Hex
  /** Wei. */
  value: bigint
}

/**
 * Listens to a machine, and keeps the transfers of calls that were not taken back.
 *
 * @returns what gives those since it was last asked
 */
export function watchTransfers(evm: EVM): () => Transfer[] {
  let frames: (Partial<Transfer>[] & { own?: Partial<Transfer> })[] = [[]]
  evm.events.on('beforeMessage', (message: Message) => {
    const { caller, to, value, delegatecall } = message
    const frame: (typeof frames)[number] = []
    if (!delegatecall && value > 0n) {
      frame.own = { from: caller.toString(), ...(to && { to: to.toString() }), value }
      frame.push(frame.own)
    }
    frames.push(frame)
  })
  evm.events.on('afterMessage', (result: EVMResult) => {
    const frame = frames.pop()!
    // A new contract's address is known when it is there.
    if (frame.own && result.createdAddress) frame.own.to ??= result.createdAddress.toString()
    if (!result.execResult.exceptionError) frames.at(-1)!.push(...frame)
  })
  return () => {
    const [whole = []] = frames
    frames = [[]]
    return whole.filter(isTransfer).filter(({ from, to }) => from !== to)
  }
}

function isTransfer(each: Partial<Transfer>): each is Transfer {
  return each.to !== undefined
}
