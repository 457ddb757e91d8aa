// How a frame ends, and what its caller gets.
import { depositCode } from './creation'
import { Exit, isFault } from './exit'
import { Frame, popFrame, topFrame } from './frame'
import { undo } from './journal'
import { cutLogs } from './log'
import { clearReturned, keepReturned } from './returned'
import { setRefund } from './storage'
import { copy, setSmall } from './word'

/** Settles what the topmost frame leaves behind: a failed one nothing, and only REVERT keeps gas. */
export function endFrame(frame: Frame, exit: Exit): void {
  if (frame.isCreation && exit < Exit.REVERT) exit = depositCode(frame)
  if (isFault(exit)) {
    frame.gas = 0
    frame.resultLength = 0
  }
  if (exit >= Exit.REVERT) {
    undo(frame.journalMark)
    cutLogs(frame.logsMark)
    setRefund(frame.refundMark)
  }
  frame.exit = exit
}

/** Takes the topmost frame away and tells the one below how it went. */
export function returnToCaller(): void {
  const frame = topFrame()
  const caller = popFrame()
  const succeeded = frame.exit < Exit.REVERT
  caller.gas += frame.gas
  if (succeeded && frame.isCreation) copy(caller.stackTop, frame.account.address)
  else setSmall(caller.stackTop, u64(succeeded))
  caller.stackTop += 32
  // A creation gives its code to the state, and nothing back (EIP-211).
  if (succeeded && frame.isCreation) clearReturned()
  else keepReturned(frame.result, frame.resultLength)
  const length = min(frame.outputLength, frame.resultLength)
  memory.copy(<usize>caller.memory + frame.outputOffset, frame.result, length)
}
