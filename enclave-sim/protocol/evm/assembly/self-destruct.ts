// SELFDESTRUCT, of which EIP-6780 has left the transfer of the balance, but for a contract that the same
// transaction has created.
import { AccountFlag, accountOf, addressOf, findAccount } from './account'
import { Exit } from './exit'
import { Frame } from './frame'
import { COLD_ACCOUNT, warm } from './gas'
import { logTransfer } from './log'
import { needAccount } from './need'
import { copy, isZero } from './word'

const NEW_ACCOUNT_GAS: i64 = 25_000

/** What is negative is an exit. */
export function selfDestructGas(frame: Frame): i64 {
  if (frame.isStatic) return -(<i64>Exit.STATIC_STATE_CHANGE)
  const address = addressOf(<usize>frame.stackTop - 32)
  const known = findAccount(address)
  const cost = known !== null && known.isWarm ? 0 : COLD_ACCOUNT
  if (cost > frame.gas) return cost
  const heir = accountOf(address)
  if (!heir.isLoaded) return -(<i64>needAccount(heir))
  const isNew = heir.isEmpty && !isZero(frame.account.balance)
  return isNew ? cost + NEW_ACCOUNT_GAS : cost
}

const balance: usize = memory.data(32, 16)

export function selfDestruct(frame: Frame): Exit {
  const self = frame.account
  const heir = accountOf(addressOf(<usize>frame.stackTop - 32))
  const wasCreatedHere = (self.flags & AccountFlag.CREATED) != 0
  warm(heir)
  copy(balance, self.balance)
  if (changetype<usize>(heir) != changetype<usize>(self)) {
    if (isZero(balance)) {
      if (heir.isEmpty) heir.raise(AccountFlag.TOUCHED)
    } else {
      self.debit(balance)
      heir.credit(balance)
      logTransfer(self.address, heir.address, balance)
    }
  } else if (wasCreatedHere) self.debit(balance)
  if (wasCreatedHere) self.raise(AccountFlag.DESTROYED)
  frame.stackTop -= 32
  return Exit.STOP
}
