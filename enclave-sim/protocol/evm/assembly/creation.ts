// CREATE and CREATE2, and what becomes of the code that they give back.
import { Account, AccountFlag, accountOf } from './account'
import { markStart, transfer } from './call'
import { addCode, findCode, markCodeNew } from './code'
import { analyse, analysedBytes } from './code-analysis'
import { Exit } from './exit'
import { depth, Frame, FrameKind, pushFrame } from './frame'
import { memoryEnd, rangeGas, UNPAYABLE, wordsGas } from './gas'
import { keccak256 } from './keccak256'
import { DEPTH_LIMIT, needMemory } from './layout'
import { needAccount } from './need'
import { clearReturned } from './returned'
import { copy, fromBytes, isSmall, isZero, lessThan, set, setSmall, toBytes } from './word'

/** EIP-170. */
const CODE_LIMIT: u32 = 24_576
/** EIP-3860. */
const INITCODE_LIMIT: u32 = 49_152
/** EIP-3860; with the hash that CREATE2 needs (EIP-1014). */
const INITCODE_WORD_GAS: u64 = 2
const CREATE2_WORD_GAS: u64 = 8
const CODE_BYTE_GAS: i64 = 200

/** Takes value, offset and length of the init code, and CREATE2 a salt. */
export function createGas(frame: Frame, kind: FrameKind): i64 {
  if (frame.isStatic) return -(<i64>Exit.STATIC_STATE_CHANGE)
  const top = <usize>frame.stackTop
  const range = rangeGas(frame, top - 64, top - 96)
  if (range == UNPAYABLE) return UNPAYABLE
  const isTooLarge = !isSmall(top - 96) || load<u32>(top - 96) > INITCODE_LIMIT
  if (isTooLarge) return -(<i64>Exit.INITCODE_TOO_LARGE)
  return range + wordsGas(top - 96, kind == FrameKind.CREATE2 ? CREATE2_WORD_GAS : INITCODE_WORD_GAS)
}

/** Begins the frame, or puts 0 on the stack where it may not begin. */
export function create(frame: Frame, kind: FrameKind): Exit {
  const top = <usize>frame.stackTop
  const value = top - 32
  const length = load<u32>(top - 96)
  const creator = frame.account
  const result = top - (kind == FrameKind.CREATE2 ? 128 : 96)
  frame.extendMemory(memoryEnd)
  const mayBegin =
    depth < DEPTH_LIMIT && !lessThan(creator.balance, value) && creator.nonce != u64.MAX_VALUE
  if (!mayBegin) {
    clearReturned()
    setSmall(result, 0)
    frame.stackTop = <u32>result + 32
    frame.pc++
    return Exit.NONE
  }
  const initCode = <usize>(frame.memory + (length ? load<u32>(top - 64) : 0))
  const address =
    kind == FrameKind.CREATE2
      ? addressBySalt(creator, top - 128, initCode, length)
      : addressByNonce(creator)
  const created = accountOf(address)
  if (!created.isLoaded) return needAccount(created)

  creator.setNonce(creator.nonce + 1)
  created.raise(AccountFlag.WARM)
  const passed = frame.gas - frame.gas / 64
  frame.gas -= passed
  frame.pc++
  frame.stackTop = <u32>result
  clearReturned()
  const inner = pushFrame()
  inner.kind = kind
  inner.gas = passed
  inner.startGas = passed
  copy(inner.caller, creator.address)
  copy(inner.value, value)
  placeInitCode(inner, initCode, length)
  beginCreation(inner, creator, created)
  return Exit.NONE
}

/** Copies init code to where the frame's memory would begin, which then begins behind it. */
export function placeInitCode(frame: Frame, initCode: usize, length: u32): void {
  const space = analysedBytes(length)
  needMemory(<usize>frame.memory + space)
  memory.copy(frame.memory, initCode, length)
  frame.code = frame.memory
  frame.codeLength = length
  frame.memory += <u32>space
  analyse(frame.code, length)
}

/** EIP-684 and EIP-7610: nothing is created where there is something. */
export function beginCreation(frame: Frame, creator: Account, created: Account): void {
  frame.account = created
  frame.codeAccount = created
  markStart(frame)
  if (created.nonce != 0 || created.hasCode || created.hasStorage) {
    frame.exit = Exit.CREATE_COLLISION
    return
  }
  created.raise(AccountFlag.CREATED)
  created.setNonce(1)
  if (!isZero(frame.value)) transfer(frame, creator, created)
}

const hash: usize = memory.data(32, 16)

/** Gives the new account the code that its frame has given back; tells how the frame ends. */
export function depositCode(frame: Frame): Exit {
  const length = frame.resultLength
  const cost = CODE_BYTE_GAS * <i64>length
  if (length > CODE_LIMIT) return Exit.CODE_TOO_LARGE
  if (cost > frame.gas) return Exit.CODE_STORE_OUT_OF_GAS
  if (length == 0) return Exit.RETURN
  if (load<u8>(frame.result) == 0xef) return Exit.INVALID_CODE
  frame.gas -= cost
  keccak256(frame.result, length, hash)
  const known = findCode(hash)
  if (known) markCodeNew(known)
  else {
    const code = addCode(hash, length, true)
    memory.copy(code, frame.result, length)
    analyse(code, length)
  }
  frame.account.setCodeHash(hash)
  return Exit.RETURN
}

const preimage: usize = memory.data(96, 16)
const address: usize = memory.data(32, 16)

/** The low 20 bytes of the hash, as a word. */
function addressFromHash(): usize {
  fromBytes(hash, address)
  set(address, load<u64>(address), load<u64>(address, 8), <u64>load<u32>(address, 16), 0)
  return address
}

/** The 20 bytes of an address. */
function writeAddress(word: usize, to: usize): void {
  toBytes(word, hash)
  memory.copy(to, hash + 12, 20)
}

/** keccak-256 of RLP of creator and nonce. */
function addressByNonce(creator: Account): usize {
  const nonce = creator.nonce
  const bytes = nonce ? 8 - <u32>(clz<u64>(nonce) >> 3) : 0
  const nonceLength = nonce > 0x7f ? 1 + bytes : 1
  store<u8>(preimage, 0xc0 + 21 + nonceLength)
  store<u8>(preimage, 0x80 + 20, 1)
  writeAddress(creator.address, preimage + 2)
  if (nonce == 0) store<u8>(preimage, 0x80, 22)
  else if (nonce <= 0x7f) store<u8>(preimage, <u8>nonce, 22)
  else {
    store<u8>(preimage, 0x80 + bytes, 22)
    store<u64>(preimage, bswap<u64>(nonce << ((8 - <u64>bytes) << 3)), 23)
  }
  keccak256(preimage, 22 + nonceLength, hash)
  return addressFromHash()
}

/** EIP-1014: keccak-256 of 0xff, creator, salt and hash of the init code. */
function addressBySalt(creator: Account, salt: usize, initCode: usize, length: u32): usize {
  store<u8>(preimage, 0xff)
  writeAddress(creator.address, preimage + 1)
  toBytes(salt, preimage + 21)
  keccak256(initCode, length, preimage + 53)
  keccak256(preimage, 85, hash)
  return addressFromHash()
}
