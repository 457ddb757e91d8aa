// The members `calls` and `transactions` of a block in the answer of eth_simulateV1, as JSON.
import {
  dataAt,
  dataLength,
  emitterAt,
  nextLog,
  topicAt,
  topicsOf,
} from './logs'
import { Call, callAt, hashOf, makeRoom, top } from './room'
import { OVERSHOOT, writeBytes, writeHex, writeQuantity, writeText } from './text'

/** All that is fixed around a call, and around a log: with quantities, hashes and commas. */
const AROUND_CALL: usize = 256
const AROUND_LOG: usize = 512
/** A topic or a hash with its quotes, and a comma before it. */
const WORD_TEXT: u32 = 69

/** What all logs of a block say of it: `"blockNumber":…,"blockTimestamp":…`; and its hash, as bytes. */
let place: usize = 0
let placeLength: u32 = 0
let blockHash: usize = 0

export function tellBlock(at: usize, length: u32, hash: usize): void {
  place = at
  placeLength = length
  blockHash = hash
}

/** Writes the hashes of so many transactions on top of the pile, with commas. @returns behind them */
export function writeHashes(count: u32): usize {
  makeRoom(count * WORD_TEXT + OVERSHOOT)
  let to = top
  for (let index: u32 = 0; index < count; index++) {
    to = writeText(to, index == 0 ? '"0x' : ',"0x')
    to = writeText(writeHex(to, hashOf(index), 32), '"')
  }
  return to
}

/** Writes so many calls on top of the pile, with commas; the same. */
export function writeCalls(count: u32, tellsMaxUsedGas: bool): usize {
  let room: usize = OVERSHOOT
  for (let index: u32 = 0; index < count; index++) room += roomOf(callAt(index))
  makeRoom(room)
  let to = top
  let logIndex: u32 = 0
  for (let index: u32 = 0; index < count; index++) {
    const call = callAt(index)
    to = writeText(to, index == 0 ? '{"status":"0x' : ',{"status":"0x')
    to = writeText(to, call.status ? '1' : '0')
    to = writeQuantity(writeText(to, '","gasUsed":"'), call.gasUsed)
    if (tellsMaxUsedGas) to = writeQuantity(writeText(to, '","maxUsedGas":"'), call.maxUsedGas)
    to = writeHex(writeText(to, '","returnData":"0x'), call.output, call.outputLength)
    to = writeText(to, '","logs":[')
    for (let log = <usize>call.logs; log < <usize>call.logsEnd; log = nextLog(log)) {
      if (log != <usize>call.logs) to = writeText(to, ',')
      to = writeLog(to, log, index, logIndex++)
    }
    to = writeText(to, ']')
    if (call.errorLength > 0) {
      to = writeBytes(writeText(to, ',"error":'), call.error, call.errorLength)
    }
    to = writeText(to, '}')
  }
  return to
}

function roomOf(call: Call): usize {
  let room: usize = AROUND_CALL + 2 * <usize>call.outputLength + call.errorLength
  for (let log = <usize>call.logs; log < <usize>call.logsEnd; log = nextLog(log)) {
    room += AROUND_LOG + placeLength + topicsOf(log) * WORD_TEXT + 2 * <usize>dataLength(log)
  }
  return room
}

function writeLog(to: usize, log: usize, transactionIndex: u32, logIndex: u32): usize {
  to = writeHex(writeText(to, '{"address":"0x'), emitterAt(log), 20)
  to = writeText(to, '","topics":[')
  for (let topic: u32 = 0; topic < topicsOf(log); topic++) {
    to = writeText(to, topic == 0 ? '"0x' : ',"0x')
    to = writeText(writeHex(to, topicAt(log, topic), 32), '"')
  }
  to = writeHex(writeText(to, '],"data":"0x'), dataAt(log), dataLength(log))
  to = writeBytes(writeText(to, '",'), place, placeLength)
  to = writeHex(writeText(to, ',"transactionHash":"0x'), hashOf(transactionIndex), 32)
  to = writeQuantity(writeText(to, '","transactionIndex":"'), transactionIndex)
  to = writeHex(writeText(to, '","blockHash":"0x'), blockHash, 32)
  to = writeQuantity(writeText(to, '","logIndex":"'), logIndex)
  return writeText(to, '","removed":false}')
}
