// What has changed since the message began, so that a frame that fails can be undone.
import { Account } from './account'
import { Arena, ENTRY_BYTES, exhausted, JOURNAL, JOURNAL_END } from './layout'
import { Slot } from './slot'
import { setTransientValue } from './transient'
import { copy } from './word'

export const enum Change {
  BALANCE,
  NONCE,
  CODE,
  ACCOUNT_FLAGS,
  SLOT,
  SLOT_FLAGS,
  TRANSIENT,
}

/** Behind the last entry: what and where (4 bytes each), and at 16 what was there before. */
export let journalEnd: usize = 0

export function clearJournal(): void {
  journalEnd = JOURNAL
}

function entry(change: Change, at: usize): usize {
  const made = journalEnd
  if (made + ENTRY_BYTES > JOURNAL_END) exhausted(Arena.JOURNAL)
  store<u32>(made, change)
  store<u32>(made, <u32>at, 4)
  journalEnd = made + ENTRY_BYTES
  return made
}

/** To be called before a word changes. */
export function noteWord(change: Change, at: usize, word: usize): void {
  copy(entry(change, at) + 16, word)
}

/** To be called before a number changes. */
export function noteNumber(change: Change, at: usize, number: u64): void {
  store<u64>(entry(change, at), number, 16)
}

/** Undoes everything since the journal ended at `mark`. */
export function undo(mark: usize): void {
  while (journalEnd > mark) {
    journalEnd -= ENTRY_BYTES
    const at = <usize>load<u32>(journalEnd, 4)
    const before = journalEnd + 16
    switch (load<u32>(journalEnd)) {
      case Change.BALANCE:
        copy(changetype<Account>(at).balance, before)
        break
      case Change.NONCE:
        changetype<Account>(at).nonce = load<u64>(before)
        break
      case Change.CODE:
        copy(changetype<Account>(at).codeHash, before)
        changetype<Account>(at).codeGeneration = 0
        break
      case Change.ACCOUNT_FLAGS:
        changetype<Account>(at).flags = <u32>load<u64>(before)
        break
      case Change.SLOT:
        copy(changetype<Slot>(at).value, before)
        break
      case Change.SLOT_FLAGS:
        changetype<Slot>(at).flags = <u32>load<u64>(before)
        break
      default:
        setTransientValue(at, before)
    }
  }
}
