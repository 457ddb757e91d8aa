// CALL, CALLCODE, DELEGATECALL, STATICCALL. They take gas, address, the value where there is one, and
// offset and length of what goes in and of what comes out.
import { Account, AccountFlag, accountOf, addressOf } from './account'
import { codeOf, delegateOf, isDelegation } from './code'
import { Exit } from './exit'
import { depth, Frame, FrameKind, pushFrame } from './frame'
import { accountGas, memoryEnd, rangesGas, UNPAYABLE, WARM_ACCESS, warm } from './gas'
import { journalEnd } from './journal'
import { DEPTH_LIMIT } from './layout'
import { logsEnd, logTransfer } from './log'
import { accountAndCode, needAccount, needCode } from './need'
import { clearReturned } from './returned'
import { refund } from './storage'
import { add, copy, equal, isZero, lessThan, setSmall } from './word'

const VALUE_GAS: i64 = 9_000
const NEW_ACCOUNT_GAS: i64 = 25_000
const STIPEND: i64 = 2_300

/** Between payment and effect: who is called, and whose code that runs. */
let called: Account = changetype<Account>(0)
let running: Account = changetype<Account>(0)

function hasValue(kind: FrameKind): bool {
  return kind == FrameKind.CALL || kind == FrameKind.CALLCODE
}

function transfersValue(frame: Frame, kind: FrameKind): bool {
  return hasValue(kind) && !isZero(<usize>frame.stackTop - 96)
}

/** Where the first of the four words about memory lies; the others are below it. */
function rangesAt(frame: Frame, kind: FrameKind): usize {
  return <usize>frame.stackTop - (hasValue(kind) ? 128 : 96)
}

/** Without what is passed on. What is negative is an exit. */
export function callGas(frame: Frame, kind: FrameKind): i64 {
  const ranges = rangesAt(frame, kind)
  const address = <usize>frame.stackTop - 64
  const range = rangesGas(frame, ranges, ranges - 32, ranges - 64, ranges - 96)
  if (range == UNPAYABLE) return UNPAYABLE
  let cost = range + accountGas(address)
  if (cost > frame.gas) return cost
  const account = accountOf(addressOf(address))
  if (!account.isLoaded) return -(<i64>needAccount(account))
  if (transfersValue(frame, kind)) {
    if (kind == FrameKind.CALL && frame.isStatic) return -(<i64>Exit.STATIC_STATE_CHANGE)
    cost += VALUE_GAS
    if (kind == FrameKind.CALL && account.isEmpty) cost += NEW_ACCOUNT_GAS
  }
  called = account
  running = account
  const code = codeOf(account)
  if (!code) return -(<i64>needCode(account))
  if (!isDelegation(code)) return cost
  const delegation = delegationGas(code, frame.gas - cost)
  return delegation < 0 ? delegation : cost + delegation
}

/** EIP-7702: the account that code is delegated to is read as well. What is negative is an exit. */
function delegationGas(code: usize, left: i64): i64 {
  const address = delegateOf(code)
  // Delegated to itself it is warm by now.
  const cost = equal(address, called.address) ? WARM_ACCESS : accountGas(address)
  if (cost > left) return cost
  const account = accountOf(address)
  const missing = accountAndCode(account)
  if (missing) return -(<i64>missing)
  running = account
  return cost
}

/** Begins the frame, or puts 0 on the stack where it may not begin. */
export function call(frame: Frame, kind: FrameKind): Exit {
  const top = <usize>frame.stackTop
  const ranges = rangesAt(frame, kind)
  const transfers = transfersValue(frame, kind)
  const value = top - 96
  frame.extendMemory(memoryEnd)
  warm(called)
  warm(running)
  const passed = forwardedGas(frame.gas, top - 32)
  frame.gas -= passed
  frame.pc++
  clearReturned()
  const result = ranges - 96
  const gas = transfers ? passed + STIPEND : passed
  if (depth >= DEPTH_LIMIT || (transfers && lessThan(frame.account.balance, value))) {
    frame.gas += gas
    setSmall(result, 0)
    frame.stackTop = <u32>result + 32
    return Exit.NONE
  }
  frame.stackTop = <u32>result
  const inner = pushFrame()
  inner.kind = kind
  inner.gas = gas
  inner.startGas = gas
  inner.isStatic = kind == FrameKind.STATICCALL ? 1 : frame.isStatic
  inner.inputLength = load<u32>(ranges - 32)
  inner.input = frame.memory + (inner.inputLength ? load<u32>(ranges) : 0)
  inner.outputLength = load<u32>(ranges - 96)
  inner.outputOffset = inner.outputLength ? load<u32>(ranges - 64) : 0
  inner.account = called
  inner.codeAccount = called
  copy(inner.caller, frame.account.address)
  if (kind == FrameKind.CALLCODE || kind == FrameKind.DELEGATECALL) inner.account = frame.account
  if (kind == FrameKind.DELEGATECALL) {
    copy(inner.caller, frame.caller)
    copy(inner.value, frame.value)
  } else if (transfers) copy(inner.value, value)
  markStart(inner)
  inner.isPrecompile = u32(called.isPrecompile)
  // The host runs it, whatever code the state has there.
  if (inner.isPrecompile == 0) inner.useCode(codeOf(running))
  if (kind == FrameKind.CALL || kind == FrameKind.STATICCALL) {
    transfer(inner, frame.account, called)
  }
  return Exit.NONE
}

/** What a failing frame goes back to. */
export function markStart(frame: Frame): void {
  frame.journalMark = <u32>journalEnd
  frame.logsMark = <u32>logsEnd
  frame.refundMark = refund
}

const newBalance: usize = memory.data(32, 16)

/** Moves the frame's value. EIP-161: also nothing touches the one it is given to. */
export function transfer(frame: Frame, from: Account, to: Account): void {
  const value = frame.value
  if (isZero(value)) {
    if (to.isEmpty) to.raise(AccountFlag.TOUCHED)
    return
  }
  add(to.balance, value, newBalance)
  if (lessThan(newBalance, value) && !equal(from.address, to.address)) {
    frame.exit = Exit.BALANCE_OVERFLOW
    return
  }
  from.debit(value)
  to.credit(value)
  logTransfer(from.address, to.address, value)
}

/** EIP-150: as much as is asked for, and at most all but one 64th. */
function forwardedGas(left: i64, wanted: usize): i64 {
  const most = left - left / 64
  const isHuge = (load<u64>(wanted, 8) | load<u64>(wanted, 16) | load<u64>(wanted, 24)) != 0
  return isHuge || load<u64>(wanted) > <u64>most ? most : <i64>load<u64>(wanted)
}
