// Telling the host what is missing.
import { Account } from './account'
import { codeOf } from './code'
import { Exit } from './exit'
import { Slot } from './slot'

/** What the last exit is about; the host reads it. */
export let neededAccount: usize = 0
export let neededKey: usize = 0

export function needAccount(account: Account): Exit {
  neededAccount = changetype<usize>(account)
  return Exit.NEEDS_ACCOUNT
}

export function needCode(account: Account): Exit {
  neededAccount = changetype<usize>(account)
  return Exit.NEEDS_CODE
}

export function needSlot(slot: Slot): Exit {
  neededAccount = slot.account
  neededKey = changetype<usize>(slot)
  return Exit.NEEDS_SLOT
}

export function needBlockHash(number: usize): Exit {
  neededKey = number
  return Exit.NEEDS_BLOCK_HASH
}

/** Whether an account is there, and with it its code; else what is missing. */
export function accountAndCode(account: Account): Exit {
  if (!account.isLoaded) return needAccount(account)
  return codeOf(account) ? Exit.NONE : needCode(account)
}
