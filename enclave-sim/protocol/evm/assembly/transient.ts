// Transient storage (EIP-1153): forgotten with the message.
import { Account, epoch } from './account'
import { hashWord } from './hash'
import { Change, noteWord } from './journal'
import {
  Arena,
  exhausted,
  indexSize,
  TRANSIENT,
  TRANSIENT_BYTES,
  TRANSIENT_INDEX,
  TRANSIENT_LIMIT,
} from './layout'
import { copy, equal, setSmall } from './word'

/** A record: the account (4 bytes), at 32 the key, at 64 the value. */
const KEY: usize = 32
const VALUE: usize = 64

let count: u32 = 0

export function clearTransient(): void {
  count = 0
}

function place(account: Account, key: usize): usize {
  const mask = indexSize(TRANSIENT_LIMIT) - 1
  const owner = changetype<usize>(account)
  let hash = hashWord(key, owner)
  let at = TRANSIENT_INDEX + (<usize>(hash & mask) << 3)
  while (load<u32>(at, 4) == epoch && !isAt(recordAt(load<u32>(at)), <u32>owner, key)) {
    at = TRANSIENT_INDEX + (<usize>(++hash & mask) << 3)
  }
  return at
}

function isAt(record: usize, owner: u32, key: usize): bool {
  return load<u32>(record) == owner && equal(record + KEY, key)
}

function recordAt(index: u32): usize {
  return TRANSIENT + <usize>index * TRANSIENT_BYTES
}

export function readTransient(account: Account, key: usize, out: usize): void {
  const at = place(account, key)
  if (load<u32>(at, 4) == epoch) copy(out, recordAt(load<u32>(at)) + VALUE)
  else setSmall(out, 0)
}

export function writeTransient(account: Account, key: usize, value: usize): void {
  const at = place(account, key)
  if (load<u32>(at, 4) != epoch) {
    if (count == TRANSIENT_LIMIT) exhausted(Arena.TRANSIENT)
    store<u32>(at, count)
    store<u32>(at, epoch, 4)
    const made = recordAt(count++)
    store<u32>(made, <u32>changetype<usize>(account))
    copy(made + KEY, key)
    setSmall(made + VALUE, 0)
  }
  const record = recordAt(load<u32>(at))
  noteWord(Change.TRANSIENT, record, record + VALUE)
  copy(record + VALUE, value)
}

export function setTransientValue(record: usize, value: usize): void {
  copy(record + VALUE, value)
}
