// How a message begins.
import { Account, AccountFlag, accountOf, newEpoch, newView } from './account'
import { markStart, transfer } from './call'
import { codeOf, delegateOf, isDelegation } from './code'
import { beginCreation, placeInitCode } from './creation'
import { Exit } from './exit'
import { Environment, environment } from './environment'
import { clearFrames, Frame, FrameKind, pushFrame } from './frame'
import { tellOsaka } from './generated/opcode-table'
import { startRun } from './interpreter'
import { clearJournal } from './journal'
import { MEMORY, needMemory } from './layout'
import { clearLogs, tellTransfers } from './log'
import { accountAndCode, needAccount } from './need'
import { clearReturned } from './returned'
import { clearSlots, Slot, SlotFlag, slotOf } from './slot'
import { setRefund } from './storage'
import { clearTransient } from './transient'
import { copy, isZero, lessThan } from './word'

/** Words that the host writes: who calls, who is called or made, and the value. */
export const MESSAGE: usize = memory.data(96, 16)
const CALLER: usize = 0
const TARGET: usize = 32
const VALUE: usize = 64

/** Precompiles: address words that the host writes; warm in every message (EIP-2929). */
const PRECOMPILE_LIMIT: u32 = 64
export const PRECOMPILES: usize = memory.data(2048, 16)
let precompiles: u32 = 0
let precompileFlags: u32 = AccountFlag.PRECOMPILE

export function setPrecompiles(count: u32, areWarm: bool): void {
  precompiles = min(count, PRECOMPILE_LIMIT)
  precompileFlags = areWarm ? AccountFlag.PRECOMPILE | AccountFlag.WARM : AccountFlag.PRECOMPILE
}

/**
 * Makes ready for the next message.
 * @param keepView whether the state is still the one of the message before, and the precompiles are
 * @param logsTransfers whether value transfers are logged as well
 */
export function open(keepView: bool, logsTransfers: bool, isOsaka: bool): void {
  if (!keepView) {
    newView()
    clearSlots()
    placePrecompiles()
  }
  tellTransfers(logsTransfers)
  tellOsaka(isOsaka)
  newEpoch()
  clearTransient()
  clearFrames()
  clearJournal()
  clearLogs()
  clearReturned()
  setRefund(0)
  startRun()
  // EIP-3651.
  warmAccount(environment(Environment.COINBASE))
}

function placePrecompiles(): void {
  for (let index: u32 = 0; index < precompiles; index++) {
    accountOf(PRECOMPILES + (<usize>index << 5)).baseFlags = precompileFlags
  }
}

/** Makes an account warm from the start (EIP-2929, EIP-2930). */
export function warmAccount(address: usize): void {
  accountOf(address).flags |= AccountFlag.WARM
}

/** The same of a slot. */
export function warmSlot(address: usize, key: usize): void {
  slotOf(accountOf(address), key).flags |= SlotFlag.WARM
}

/** Room for what goes in, of the first frame's memory. */
export function inputAt(length: u32): usize {
  needMemory(MEMORY + length)
  return MEMORY
}

/**
 * Begins the message in MESSAGE, whose input lies at `inputAt`. Caller and target are warm from the start
 * (EIP-2929), and so is the account that the target's code is delegated to (EIP-7702).
 * @returns NONE, or what the host has to tell before
 */
export function begin(isCreation: bool, gas: i64, inputLength: u32): Exit {
  const caller = accountOf(MESSAGE + CALLER)
  const target = accountOf(MESSAGE + TARGET)
  caller.flags |= AccountFlag.WARM
  target.flags |= AccountFlag.WARM
  if (!caller.isLoaded) return needAccount(caller)
  if (!target.isLoaded) return needAccount(target)
  let running = target
  if (!isCreation && !target.isPrecompile) {
    const missing = accountAndCode(target)
    if (missing) return missing
    if (isDelegation(codeOf(target))) {
      running = accountOf(delegateOf(codeOf(target)))
      running.flags |= AccountFlag.WARM
      const alsoMissing = accountAndCode(running)
      if (alsoMissing) return alsoMissing
    }
  }
  const frame = pushFrame()
  frame.kind = isCreation ? FrameKind.CREATE : FrameKind.CALL
  frame.gas = gas
  frame.startGas = gas
  copy(frame.caller, caller.address)
  copy(frame.value, MESSAGE + VALUE)
  if (isCreation) {
    placeInitCode(frame, frame.memory, inputLength)
    beginCreation(frame, caller, target)
  } else {
    frame.input = frame.memory
    frame.inputLength = inputLength
    frame.memory = (frame.memory + inputLength + 63) & ~63
    frame.account = target
    frame.codeAccount = target
    markStart(frame)
    frame.isPrecompile = u32(target.isPrecompile)
    if (frame.isPrecompile == 0) frame.useCode(codeOf(running))
    if (!canPay(frame, caller)) frame.exit = Exit.INSUFFICIENT_BALANCE
    else transfer(frame, caller, target)
  }
  return Exit.NONE
}

function canPay(frame: Frame, caller: Account): bool {
  return isZero(frame.value) || !lessThan(caller.balance, frame.value)
}
