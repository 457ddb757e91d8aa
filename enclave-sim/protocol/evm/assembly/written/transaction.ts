// The transactions that calls stand for (execution-apis, eth_simulateV1 notes): signed by zeros.
import { keccak256 } from '../keccak256'
import {
  listLength,
  numberLength,
  stringLength,
  writeListHead,
  writeNumber,
  writeString,
} from './rlp'
import { Call, makeRoom, setTop, top } from './room'

/** EIP-1559. */
const TYPE: u32 = 2
/** What stands before and behind the calldata, at most. */
const MOST_AROUND: u32 = 160
/** An empty access list, and behind it yParity, r and s of zero, in the order of the bytes. */
const UNSIGNED: u32 = 0x808080c0
const UNSIGNED_BYTES: u32 = 4

/**
 * A transaction of type 2 without an access list. At `to` lie the receiver's 20 bytes, or none of them, and
 * behind them the calldata.
 */
export function putTransaction(
  call: Call,
  chainId: u64,
  nonce: u64,
  tip: u64,
  cap: u64,
  gas: u64,
  to: usize,
  toLength: u32,
  value: u64,
  dataLength: u32,
  hash: usize,
): void {
  const data = to + toLength
  const payload =
    numberLength(chainId) +
    numberLength(nonce) +
    numberLength(tip) +
    numberLength(cap) +
    numberLength(gas) +
    stringLength(to, toLength) +
    numberLength(value) +
    stringLength(data, dataLength) +
    UNSIGNED_BYTES
  // Behind what was told.
  setTop(data + dataLength)
  makeRoom(dataLength + MOST_AROUND)
  const begin = top
  store<u8>(begin, TYPE)
  let at = writeListHead(begin + 1, payload)
  at = writeNumber(at, chainId)
  at = writeNumber(at, nonce)
  at = writeNumber(at, tip)
  at = writeNumber(at, cap)
  at = writeNumber(at, gas)
  at = writeString(at, to, toLength)
  at = writeNumber(at, value)
  at = writeString(at, data, dataLength)
  store<u32>(at, UNSIGNED)
  at += UNSIGNED_BYTES
  call.type = TYPE
  keepTransaction(call, begin, <u32>(at - begin), hash)
}

/** An encoded transaction that lies on top of the pile, of any type; its hash goes to `hash`. */
export function keepTransaction(call: Call, at: usize, length: u32, hash: usize): void {
  call.transaction = <u32>at
  call.transactionLength = length
  setTop(at + length)
  keccak256(at, length, hash)
}

/** What it adds to the length of its block: one of type 0 is a list already. */
export function lengthInBlock(call: Call): u32 {
  const length = call.transactionLength
  return call.type == 0 ? length : stringLength(<usize>call.transaction, length)
}
