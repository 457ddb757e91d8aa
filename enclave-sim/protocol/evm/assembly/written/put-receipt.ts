// Receipts, as their trie holds them: type ‖ rlp(status, cumulative gas, bloom, logs).
import { addToBloom, BLOOM_BYTES } from './bloom'
import {
  dataAt,
  dataLength,
  emitterAt,
  isTransfer,
  nextLog,
  topicAt,
  topicsOf,
} from './logs'
import {
  listLength,
  numberLength,
  stringLength,
  writeListHead,
  writeNumber,
  writeString,
} from './rlp'
import { Call, makeRoom, setTop, top } from './room'

const ADDRESS_BYTES: u32 = 20
const ADDRESS_ITEM: u32 = 21
const TOPIC_BYTES: u32 = 32
const TOPIC_ITEM: u32 = 33
const BLOOM_ITEM: u32 = 3 + BLOOM_BYTES

/** Puts the receipt of a call on the pile whose logs lie there; `bloom` gets what they have. */
export function putReceipt(call: Call, cumulativeGas: u64, bloom: usize): void {
  const logs = <usize>call.logs
  const end = <usize>call.logsEnd
  memory.fill(bloom, 0, BLOOM_BYTES)
  let logsLength: u32 = 0
  for (let log = logs; log < end; log = nextLog(log)) {
    if (isTransfer(log)) continue
    logsLength += listLength(logPayload(log))
    addToBloom(bloom, emitterAt(log), ADDRESS_BYTES)
    for (let topic: u32 = 0; topic < topicsOf(log); topic++) {
      addToBloom(bloom, topicAt(log, topic), TOPIC_BYTES)
    }
  }
  const payload =
    numberLength(call.status) + numberLength(cumulativeGas) + BLOOM_ITEM + listLength(logsLength)
  makeRoom(1 + listLength(payload))
  let at = top
  if (call.type != 0) {
    store<u8>(at, call.type)
    at++
  }
  at = writeListHead(at, payload)
  at = writeNumber(at, call.status)
  at = writeNumber(at, cumulativeGas)
  at = writeString(at, bloom, BLOOM_BYTES)
  at = writeListHead(at, logsLength)
  for (let log = logs; log < end; log = nextLog(log)) {
    if (!isTransfer(log)) at = writeLog(at, log)
  }
  call.receipt = <u32>top
  call.receiptLength = <u32>(at - top)
  setTop(at)
}

function logPayload(log: usize): u32 {
  const topics = listLength(topicsOf(log) * TOPIC_ITEM)
  return ADDRESS_ITEM + topics + stringLength(dataAt(log), dataLength(log))
}

function writeLog(to: usize, log: usize): usize {
  to = writeListHead(to, logPayload(log))
  to = writeString(to, emitterAt(log), ADDRESS_BYTES)
  to = writeListHead(to, topicsOf(log) * TOPIC_ITEM)
  for (let topic: u32 = 0; topic < topicsOf(log); topic++) {
    to = writeString(to, topicAt(log, topic), TOPIC_BYTES)
  }
  return writeString(to, dataAt(log), dataLength(log))
}
