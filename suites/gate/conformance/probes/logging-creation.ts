import type { Hex } from '../wire/hex.ts'
import { assemble } from './assembly.ts'
import { encodeLogEntries, type LogEntry } from './contracts.ts'

const sizeOf = (code: Hex) => (code.length - 2) / 2
const word = (value: number): Hex => `0x${value.toString(16).padStart(4, '0')}`

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
  const size = word(sizeOf(inner))
  return callsEmitter(emitter, kept, {
    before: `${topic} PUSH0 PUSH0 LOG1 ${size} @end PUSH0 CODECOPY ${size} PUSH0 PUSH0 CREATE POP`,
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
  const size = word(sizeOf(calldata))
  const at = `${word(sizeOf(appended))} @end ADD`
  const program = assemble(`
    ${before} ${size} ${at} PUSH0 CODECOPY
    PUSH0 PUSH0 ${size} PUSH0 PUSH0 ${emitter} GAS CALL POP ${after}
    end:`)
  // The label's own byte would stand before what follows.
  return `${program.slice(0, -2) as Hex}${appended.slice(2)}${calldata.slice(2)}`
}
