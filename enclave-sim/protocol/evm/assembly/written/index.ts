// The writer of simulated blocks, as a module of its own: bytes of calls and of what came of them go in,
// bytes of their block and the text of its calls come out. Its host is
// devnet/l2/node/rpc/simulate/simulated-block-writer.ts. Pointers are offsets in the exported memory.
import { BLOOM_BYTES, mergeBloom } from './bloom'
import { tellBlock, writeCalls, writeHashes } from './call-text'
import { readLogs } from './logs'
import { orderedTrieRoot } from './ordered-trie-root'
import { putReceipt } from './put-receipt'
import { Call, callAt, clearPile, hashOf, makeRoom, MOST_CALLS, setTop, top } from './room'
import { keepTransaction, lengthInBlock, putTransaction } from './transaction'

/** What comes out at the end: both roots, and the bloom. */
const TRANSACTIONS_ROOT: usize = memory.data(32, 16)
const RECEIPTS_ROOT: usize = memory.data(32, 16)
const BLOOM: usize = memory.data(256, 16)
const RECEIPT_BLOOM: usize = memory.data(256, 16)
/** Where the host tells the block's hash. */
const BLOCK_HASH: usize = memory.data(32, 16)

let count: u32 = 0
let gasUsed: u64 = 0
let length: u32 = 0

export function transactionsRootAt(): usize {
  return TRANSACTIONS_ROOT
}

export function receiptsRootAt(): usize {
  return RECEIPTS_ROOT
}

export function bloomAt(): usize {
  return BLOOM
}

export function blockHashAt(): usize {
  return BLOCK_HASH
}

/** Begins a block; what is there of the last one is written over. */
export function begin(): void {
  clearPile()
  count = 0
  gasUsed = 0
  length = 0
  memory.fill(BLOOM, 0, BLOOM_BYTES)
}

/** Where so many bytes can be written, before they are told of. */
export function roomFor(bytes: u32): usize {
  setTop((top + 15) & ~15)
  makeRoom(bytes)
  return top
}

/** The next call's transaction, of type 2; where there was room lie the receiver and the calldata. */
export function addTransaction(
  chainId: u64,
  nonce: u64,
  tip: u64,
  cap: u64,
  gas: u64,
  value: u64,
  toLength: u32,
  dataLength: u32,
): void {
  if (count == MOST_CALLS) unreachable()
  const hash = hashOf(count)
  putTransaction(callAt(count), chainId, nonce, tip, cap, gas, top, toLength, value, dataLength, hash)
}

/** The same, encoded already: it lies where there was room. */
export function addEncoded(type: u32, bytes: u32): void {
  if (count == MOST_CALLS) unreachable()
  const call = callAt(count)
  call.type = type
  keepTransaction(call, top, bytes, hashOf(count))
}

/** What came of it: where there was room lie its logs as the engine has them, its output, and its error as JSON. */
export function addOutcome(
  status: u32,
  used: u64,
  maxUsed: u64,
  logsLength: u32,
  outputLength: u32,
  errorLength: u32,
): void {
  const call = callAt(count++)
  const logs = top
  call.logs = <u32>logs
  call.logsEnd = <u32>logs + logsLength
  call.output = call.logsEnd
  call.outputLength = outputLength
  call.error = call.output + outputLength
  call.errorLength = errorLength
  call.status = status
  call.gasUsed = used
  call.maxUsedGas = maxUsed
  setTop(<usize>call.error + errorLength)
  gasUsed += used
  length += lengthInBlock(call)
  readLogs(logs, <usize>call.logsEnd)
  putReceipt(call, gasUsed, RECEIPT_BLOOM)
  if (logsLength > 0) mergeBloom(BLOOM, RECEIPT_BLOOM)
}

/** Makes the roots, of a block with calls. @returns how long all transactions are in the block */
export function end(): u32 {
  const records = changetype<usize>(callAt(0))
  const size = changetype<usize>(callAt(1)) - records
  orderedTrieRoot(records, size, count, TRANSACTIONS_ROOT)
  orderedTrieRoot(records + offsetof<Call>('receipt'), size, count, RECEIPTS_ROOT)
  return length
}

/** The hashes of all transactions as JSON, from the place on where there is room. @returns their end */
export function hashesText(): usize {
  return writeHashes(count)
}

/** The same of all calls. Where there was room lies what their logs say of the block, which is kept. */
export function callsText(placeLength: u32, tellsMaxUsedGas: bool): usize {
  tellBlock(top, placeLength, BLOCK_HASH)
  setTop(top + placeLength)
  return writeCalls(count, tellsMaxUsedGas)
}

/** Where text begins that was just written. */
export function textAt(): usize {
  return top
}
