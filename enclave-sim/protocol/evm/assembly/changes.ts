// What the message has changed in the end, for the host to take over.
import { Account, AccountFlag } from './account'
import { Change, journalEnd } from './journal'
import { ENTRY_BYTES, JOURNAL, STACK } from './layout'
import { Slot, SlotFlag } from './slot'
import { equal } from './word'

/** Lists pointers to the accounts that are not what they were; the stacks are over. */
export function listAccounts(): u32 {
  let count: u32 = 0
  for (let entry = JOURNAL; entry < journalEnd; entry += ENTRY_BYTES) {
    const change = <Change>load<u32>(entry)
    if (change > Change.ACCOUNT_FLAGS) continue
    const account = changetype<Account>(<usize>load<u32>(entry, 4))
    if (account.flags & AccountFlag.REPORTED || !isWorthTelling(account)) continue
    account.flags |= AccountFlag.REPORTED
    store<u32>(STACK + (<usize>(count++) << 2), <u32>changetype<usize>(account))
  }
  return count
}

function isWorthTelling(account: Account): bool {
  if (!account.isLoaded) return false
  const isGone = (account.flags & AccountFlag.TOUCHED) != 0 && account.isEmpty
  return account.isChanged || isGone || (account.flags & AccountFlag.CREATED) != 0
}

/** The same for slots. */
export function listSlots(): u32 {
  let count: u32 = 0
  for (let entry = JOURNAL; entry < journalEnd; entry += ENTRY_BYTES) {
    if (load<u32>(entry) != Change.SLOT) continue
    const slot = changetype<Slot>(<usize>load<u32>(entry, 4))
    if (slot.flags & SlotFlag.REPORTED || equal(slot.value, slot.base)) continue
    slot.flags |= SlotFlag.REPORTED
    store<u32>(STACK + (<usize>(count++) << 2), <u32>changetype<usize>(slot))
  }
  return count
}

/** Makes what the message has changed the state that the next one on this view begins with. */
export function keepChanges(): void {
  for (let entry = JOURNAL; entry < journalEnd; entry += ENTRY_BYTES) {
    const change = <Change>load<u32>(entry)
    const at = <usize>load<u32>(entry, 4)
    if (change < Change.ACCOUNT_FLAGS) changetype<Account>(at).keep()
    else if (change == Change.SLOT) changetype<Slot>(at).keep()
  }
}

export function listAt(): usize {
  return STACK
}
