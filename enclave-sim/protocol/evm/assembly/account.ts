// Accounts as the message sees them. A record belongs to the view of the state it was read in; what
// the message changes is beside what was read, and counts only in the message's own epoch.
import { hashWord } from './hash'
import { Change, noteNumber, noteWord } from './journal'
import {
  ACCOUNT_BYTES,
  ACCOUNT_INDEX,
  ACCOUNT_LIMIT,
  ACCOUNTS,
  Arena,
  exhausted,
  indexSize,
} from './layout'
import { add, copy, equal, isZero, set, sub } from './word'

export const enum AccountFlag {
  /** EIP-2929. */
  WARM = 1,
  /** EIP-161: it goes at the end, if it is empty. */
  TOUCHED = 2,
  /** By this message. */
  CREATED = 4,
  /** EIP-6780: it goes at the end, if it was created too. */
  DESTROYED = 8,
  /** Its code is not the state's but the host's. */
  PRECOMPILE = 16,
  /** Already told to the host. */
  REPORTED = 32,
}

/** The number of the state that is looked at; another one makes every record stale. */
export let view: u32 = 0
/** The number of the message. */
export let epoch: u32 = 0

let count: u32 = 0

export function newView(): void {
  view++
  count = 0
}

export function newEpoch(): void {
  epoch++
}

/** keccak-256 of nothing, as bytes. */
export const EMPTY_HASH: usize = memory.data<u8>([
  0xc5, 0xd2, 0x46, 0x01, 0x86, 0xf7, 0x23, 0x3c, 0x92, 0x7e, 0x7d, 0xb2, 0xdc, 0xc7, 0x03, 0xc0,
  0xe5, 0x00, 0xb6, 0x53, 0xca, 0x82, 0x27, 0x3b, 0x7b, 0xfa, 0xd8, 0x04, 0x5d, 0x85, 0xa4, 0x70,
])

@unmanaged
export class Account {
  /** 1 once the host has told it in this view. */
  isLoaded: u32
  /** The message whose values the record holds. */
  epoch: u32
  flags: u32
  /** EIP-7610: whether there was any storage. */
  hasStorage: u32
  nonce: u64
  /** As the host told it. */
  baseNonce: u64
  /** Where its code lies, as long as the code arena has this generation. */
  code: u32
  codeGeneration: u32
  /** What it is flagged in every message of this view: a precompile, and warm. */
  baseFlags: u32

  get address(): usize {
    return changetype<usize>(this) + 64
  }

  get balance(): usize {
    return changetype<usize>(this) + 96
  }

  get baseBalance(): usize {
    return changetype<usize>(this) + 128
  }

  /** Bytes, not a word. */
  get codeHash(): usize {
    return changetype<usize>(this) + 160
  }

  get baseCodeHash(): usize {
    return changetype<usize>(this) + 192
  }

  /** Forgets what an earlier message did to it and nobody has kept. */
  refresh(): void {
    if (this.epoch == epoch) return
    this.epoch = epoch
    this.flags = this.baseFlags
    this.nonce = this.baseNonce
    this.codeGeneration = 0
    copy(this.balance, this.baseBalance)
    copy(this.codeHash, this.baseCodeHash)
  }

  get isWarm(): bool {
    return (this.flags & AccountFlag.WARM) != 0
  }

  get isPrecompile(): bool {
    return (this.flags & AccountFlag.PRECOMPILE) != 0
  }

  get hasCode(): bool {
    return !equal(this.codeHash, EMPTY_HASH)
  }

  /** EIP-161. */
  get isEmpty(): bool {
    return this.nonce == 0 && isZero(this.balance) && !this.hasCode
  }

  raise(flag: AccountFlag): void {
    if (this.flags & flag) return
    noteNumber(Change.ACCOUNT_FLAGS, changetype<usize>(this), this.flags)
    this.flags |= flag
  }

  setNonce(nonce: u64): void {
    noteNumber(Change.NONCE, changetype<usize>(this), this.nonce)
    this.nonce = nonce
  }

  setCodeHash(hash: usize): void {
    noteWord(Change.CODE, changetype<usize>(this), this.codeHash)
    copy(this.codeHash, hash)
    this.codeGeneration = 0
  }

  credit(value: usize): void {
    noteWord(Change.BALANCE, changetype<usize>(this), this.balance)
    add(this.balance, value, this.balance)
  }

  debit(value: usize): void {
    noteWord(Change.BALANCE, changetype<usize>(this), this.balance)
    sub(this.balance, value, this.balance)
  }

  /** The next message on this view begins with what this one has made of it. */
  keep(): void {
    this.baseNonce = this.nonce
    copy(this.baseBalance, this.balance)
    copy(this.baseCodeHash, this.codeHash)
  }

  get isChanged(): bool {
    return (
      this.nonce != this.baseNonce ||
      !equal(this.balance, this.baseBalance) ||
      !equal(this.codeHash, this.baseCodeHash)
    )
  }
}

const masked: usize = memory.data(32, 16)

/** The address in the low 160 bits of a word of the stack; good until the next call. */
export function addressOf(word: usize): usize {
  set(masked, load<u64>(word), load<u64>(word, 8), <u64>load<u32>(word, 16), 0)
  return masked
}

function place(address: usize): usize {
  const mask = indexSize(ACCOUNT_LIMIT) - 1
  let hash = hashWord(address, 0)
  let at = ACCOUNT_INDEX + (<usize>(hash & mask) << 3)
  while (load<u32>(at, 4) == view && !equal(recordAt(load<u32>(at)).address, address)) {
    at = ACCOUNT_INDEX + (<usize>(++hash & mask) << 3)
  }
  return at
}

function recordAt(index: u32): Account {
  return changetype<Account>(ACCOUNTS + <usize>index * ACCOUNT_BYTES)
}

/** The account of an address, if this view has a record of it. */
export function findAccount(address: usize): Account | null {
  const at = place(address)
  if (load<u32>(at, 4) != view) return null
  const account = recordAt(load<u32>(at))
  account.refresh()
  return account
}

/** The same; a record is made where there is none, which the caller has made sure is paid for. */
export function accountOf(address: usize): Account {
  const at = place(address)
  if (load<u32>(at, 4) == view) {
    const found = recordAt(load<u32>(at))
    found.refresh()
    return found
  }
  if (count == ACCOUNT_LIMIT) exhausted(Arena.ACCOUNTS)
  store<u32>(at, count)
  store<u32>(at, view, 4)
  const made = recordAt(count++)
  memory.fill(changetype<usize>(made), 0, ACCOUNT_BYTES)
  made.epoch = epoch
  copy(made.address, address)
  return made
}

/** Whether so many more fit before a new view is needed. */
export function accountsLeft(): u32 {
  return ACCOUNT_LIMIT - count
}
