import { numberToHex, size } from 'viem'
import type { Hex } from '../wire/hex.ts'
import { assembleBefore } from './assembly.ts'
import { encodeLogEntries, type LogEntry } from './contracts.ts'

const sizeOf = (code: Hex) => numberToHex(size(code), { size: 2 })

/**
 * Creation code whose logs come from everywhere but the transaction's own target: from the constructor, and
 * from the log probe `emitter` that it calls; an inner frame logs there, too, and is undone. What is created
 * has no code.
 *
 * @param topic of the constructor's own log
 * @param kept what the emitter logs
 * @param undone what the emitter logs in the frame that reverts
 */
export function loggingCreation(options: {
  emitter: Hex
  topic: Hex
  kept: readonly LogEntry[]
  undone: readonly LogEntry[]
}): Hex {
  const { emitter, topic, kept, undone } = options
  const inner = callsEmitter(emitter, undone, { before: '', after: 'PUSH0 PUSH0 REVERT' })
  const length = sizeOf(inner)
  return callsEmitter(emitter, kept, {
    before: `${topic} PUSH0 PUSH0 LOG1 ${length} @end PUSH0 CODECOPY ${length} PUSH0 PUSH0 CREATE POP`,
    after: 'STOP',
    // Its code stands first behind the program, the calldata behind it.
    appended: inner,
  })
}

/** Code that calls the log probe with these entries, which stand at its end. */
function callsEmitter(
  emitter: Hex,
  entries: readonly LogEntry[],
  { before, after, appended = '0x' }: { before: string; after: string; appended?: Hex },
): Hex {
  const calldata = encodeLogEntries(entries)
  const length = sizeOf(calldata)
  const program = `
    ${before} ${length} ${sizeOf(appended)} @end ADD PUSH0 CODECOPY
    PUSH0 PUSH0 ${length} PUSH0 PUSH0 ${emitter} GAS CALL POP ${after}`
  return assembleBefore(program, appended, calldata)
}
