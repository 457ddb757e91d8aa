// The engine's face to its host, which is engine.ts. Pointers are offsets in the exported memory.
import { Account, accountsLeft, findAccount } from './account'
import { addCode, codeLength, codeOf } from './code'
import { analyse } from './code-analysis'
import { BLOCK_HASH, ENVIRONMENT } from './environment'
import { Exit } from './exit'
import { depth, Frame, topFrame } from './frame'
import { LOGS } from './layout'
import { logsEnd } from './log'
import { MESSAGE, PRECOMPILES } from './message'
import { neededAccount, neededKey } from './need'
import { findSlot, Slot, slotOf, slotsLeft } from './slot'
import { refund } from './storage'
import { stepCost } from './interpreter'
import { needMemory, RETURNED } from './layout'
import { returnedLength } from './returned'
import { copy } from './word'

export { keepChanges, listAccounts, listAt, listSlots } from './changes'
export { forgetCode } from './code'
export { tellBlockHash } from './environment'
export { seed } from './hash'
export { run, step } from './interpreter'
export { layOut, limitMemory, whatIsExhausted } from './layout'
export { begin, inputAt, open, setPrecompiles, warmAccount, warmSlot } from './message'

/** 256 bytes through which words and hashes go in. */
const EXCHANGE: usize = memory.data(256, 16)

export function exchangeAt(): usize {
  return EXCHANGE
}

export function environmentAt(): usize {
  return ENVIRONMENT
}

export function messageAt(): usize {
  return MESSAGE
}

export function precompilesAt(): usize {
  return PRECOMPILES
}

export function blockHashAt(): usize {
  return BLOCK_HASH
}

/** The account that the last exit, or a part of it, is about. */
export function neededAccountAt(): usize {
  return neededAccount
}

/** The slot that NEEDS_SLOT, or the number that NEEDS_BLOCK_HASH is about. */
export function neededKeyAt(): usize {
  return neededKey
}

/** Answers NEEDS_ACCOUNT: balance (a word) and code hash lie at the exchange. */
export function tellAccount(nonce: u64, hasStorage: bool): void {
  const account = changetype<Account>(neededAccount)
  account.isLoaded = 1
  account.hasStorage = u32(hasStorage)
  account.nonce = nonce
  account.baseNonce = nonce
  copy(account.balance, EXCHANGE)
  copy(account.baseBalance, EXCHANGE)
  copy(account.codeHash, EXCHANGE + 32)
  copy(account.baseCodeHash, EXCHANGE + 32)
}

/** Answers NEEDS_SLOT: the value (a word) lies at the exchange. */
export function tellSlot(): void {
  const slot = changetype<Slot>(neededKey)
  slot.isLoaded = 1
  copy(slot.value, EXCHANGE)
  copy(slot.base, EXCHANGE)
}

/** Answers NEEDS_CODE: tells where the bytes go, before `finishCode`. */
export function tellCode(length: u32): usize {
  return addCode(changetype<Account>(neededAccount).codeHash, length, false)
}

export function finishCode(code: usize, length: u32): void {
  analyse(code, length)
}

/** Answers PRECOMPILE: tells where what it gives back goes, before `finishPrecompile`. */
export function precompileOutput(length: u32): usize {
  const frame = topFrame()
  needMemory(<usize>frame.memory + length)
  return frame.memory
}

/** @param exit RETURN, OUT_OF_GAS or PRECOMPILE_FAILED */
export function finishPrecompile(exit: Exit, gasUsed: i64, outputLength: u32): void {
  const frame = topFrame()
  frame.exit = exit
  frame.gas -= gasUsed
  frame.result = frame.memory
  frame.resultLength = outputLength
}

export function currentDepth(): i32 {
  return depth
}

/** The frame on top; engine-frame.ts knows its fields. */
export function frameAt(): usize {
  return changetype<usize>(topFrame())
}

export function gasRefund(): i64 {
  return refund
}

export function opcodeCost(): i64 {
  return stepCost
}

export function logsStart(): usize {
  return LOGS
}

export function logsStop(): usize {
  return logsEnd
}

export function returnedAt(): usize {
  return RETURNED
}

export function returnedBytes(): u32 {
  return returnedLength
}

/** The account whose address (a word) lies at the exchange; 0 when the message has not read it. */
export function peekAccount(): usize {
  const account = findAccount(EXCHANGE)
  return account !== null && account.isLoaded ? changetype<usize>(account) : 0
}

/** Has the host tell the account again whose address (a word) lies at the exchange. */
export function forgetAccount(): void {
  const account = findAccount(EXCHANGE)
  if (account !== null) account.isLoaded = 0
}

/** The slot, likewise; its key lies behind. 0 when the message has not read it. */
export function peekSlot(): usize {
  const account = findAccount(EXCHANGE)
  if (account === null) return 0
  const slot = findSlot(account, EXCHANGE + 32)
  return slot !== null && slot.isLoaded ? changetype<usize>(slot) : 0
}

/** Where the code of an account lies, and how long it is; 0 when it was not read. */
export function codeAt(account: usize): usize {
  return codeOf(changetype<Account>(account))
}

export function codeBytesAt(code: usize): u32 {
  return codeLength(code)
}

/** How many more accounts and slots this view can hold. */
export function roomForAccounts(): u32 {
  return accountsLeft()
}

export function roomForSlots(): u32 {
  return slotsLeft()
}
