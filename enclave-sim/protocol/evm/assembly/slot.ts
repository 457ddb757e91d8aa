// Storage slots as the message sees them; kept as accounts are.
import { Account, epoch, view } from './account'
import { hashWord } from './hash'
import { Change, noteNumber, noteWord } from './journal'
import { Arena, exhausted, indexSize, SLOT_BYTES, SLOT_INDEX, SLOT_LIMIT, SLOTS } from './layout'
import { copy, equal } from './word'

export const enum SlotFlag {
  /** EIP-2929. */
  WARM = 1,
  /** Already told to the host. */
  REPORTED = 2,
}

let count: u32 = 0

export function clearSlots(): void {
  count = 0
}

@unmanaged
export class Slot {
  isLoaded: u32
  /** The message whose value the record holds. */
  epoch: u32
  flags: u32
  account: u32

  get key(): usize {
    return changetype<usize>(this) + 32
  }

  get value(): usize {
    return changetype<usize>(this) + 64
  }

  /** As the host told it: the value before the message (EIP-2200's original value). */
  get base(): usize {
    return changetype<usize>(this) + 96
  }

  isAt(account: u32, key: usize): bool {
    return this.account == account && equal(this.key, key)
  }

  refresh(): void {
    if (this.epoch == epoch) return
    this.epoch = epoch
    this.flags = 0
    copy(this.value, this.base)
  }

  get isWarm(): bool {
    return (this.flags & SlotFlag.WARM) != 0
  }

  warm(): void {
    if (this.isWarm) return
    noteNumber(Change.SLOT_FLAGS, changetype<usize>(this), this.flags)
    this.flags |= SlotFlag.WARM
  }

  /** As `Account.keep`. */
  keep(): void {
    copy(this.base, this.value)
  }

  setValue(value: usize): void {
    noteWord(Change.SLOT, changetype<usize>(this), this.value)
    copy(this.value, value)
  }
}

function place(account: Account, key: usize): usize {
  const mask = indexSize(SLOT_LIMIT) - 1
  const owner = changetype<usize>(account)
  let hash = hashWord(key, owner)
  let at = SLOT_INDEX + (<usize>(hash & mask) << 3)
  while (load<u32>(at, 4) == view && !recordAt(load<u32>(at)).isAt(<u32>owner, key)) {
    at = SLOT_INDEX + (<usize>(++hash & mask) << 3)
  }
  return at
}

function recordAt(index: u32): Slot {
  return changetype<Slot>(SLOTS + <usize>index * SLOT_BYTES)
}

/** The slot, if this view has a record of it. */
export function findSlot(account: Account, key: usize): Slot | null {
  const at = place(account, key)
  if (load<u32>(at, 4) != view) return null
  const slot = recordAt(load<u32>(at))
  slot.refresh()
  return slot
}

/** The same; a record is made where there is none, which the caller has made sure is paid for. */
export function slotOf(account: Account, key: usize): Slot {
  const at = place(account, key)
  if (load<u32>(at, 4) == view) {
    const found = recordAt(load<u32>(at))
    found.refresh()
    return found
  }
  if (count == SLOT_LIMIT) exhausted(Arena.SLOTS)
  store<u32>(at, count)
  store<u32>(at, view, 4)
  const made = recordAt(count++)
  memory.fill(changetype<usize>(made), 0, SLOT_BYTES)
  made.account = <u32>changetype<usize>(account)
  made.epoch = epoch
  copy(made.key, key)
  return made
}

/** Whether so many more fit before a new view is needed. */
export function slotsLeft(): u32 {
  return SLOT_LIMIT - count
}
