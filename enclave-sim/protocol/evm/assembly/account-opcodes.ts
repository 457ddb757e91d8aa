// BALANCE, SELFBALANCE, EXTCODESIZE, EXTCODEHASH, EXTCODECOPY.
import { accountOf, addressOf } from './account'
import { codeLength, codeOf } from './code'
import { Exit } from './exit'
import { Frame } from './frame'
import { accountGas, memoryEnd, rangeGas, UNPAYABLE, warm, wordsGas } from './gas'
import { copyPadded } from './memory-opcodes'
import { accountAndCode, needAccount } from './need'
import { copy, fromBytes, setSmall } from './word'

export function balance(frame: Frame): Exit {
  const top = <usize>frame.stackTop - 32
  const account = accountOf(addressOf(top))
  if (!account.isLoaded) return needAccount(account)
  warm(account)
  copy(top, account.balance)
  return Exit.NONE
}

export function selfBalance(frame: Frame): Exit {
  if (!frame.account.isLoaded) return needAccount(frame.account)
  copy(frame.stackTop, frame.account.balance)
  frame.stackTop += 32
  return Exit.NONE
}

export function extCodeSize(frame: Frame): Exit {
  const top = <usize>frame.stackTop - 32
  const account = accountOf(addressOf(top))
  const missing = accountAndCode(account)
  if (missing) return missing
  warm(account)
  setSmall(top, codeLength(codeOf(account)))
  return Exit.NONE
}

/** EIP-1052: zero for an account that is empty. */
export function extCodeHash(frame: Frame): Exit {
  const top = <usize>frame.stackTop - 32
  const account = accountOf(addressOf(top))
  if (!account.isLoaded) return needAccount(account)
  warm(account)
  if (account.isEmpty) setSmall(top, 0)
  else fromBytes(account.codeHash, top)
  return Exit.NONE
}

/** Takes address, offset in memory, offset in the code, length. */
export function extCodeCopyGas(frame: Frame): i64 {
  const top = <usize>frame.stackTop
  const words = wordsGas(top - 128, 3)
  const range = rangeGas(frame, top - 64, top - 128)
  if (words == UNPAYABLE || range == UNPAYABLE) return UNPAYABLE
  return accountGas(top - 32) + words + range
}

export function extCodeCopy(frame: Frame): Exit {
  const top = <usize>frame.stackTop
  const account = accountOf(addressOf(top - 32))
  const missing = accountAndCode(account)
  if (missing) return missing
  warm(account)
  const code = codeOf(account)
  frame.extendMemory(memoryEnd)
  copyPadded(frame, top - 64, code, codeLength(code))
  frame.stackTop -= 128
  return Exit.NONE
}
