// Logs, as the engine has them (../log.ts), with emitters and topics as bytes instead of words.
import { equal, toBytes } from '../word'

const HEADER: usize = 48
/** The bytes of an emitter begin here: they are the last 20 of a word. */
const EMITTER: usize = 16 + 12

/** 0xeeee…ee, the pretended emitter of value transfers, as word (execution-apis, eth_simulateV1). */
const TRANSFERS: usize = memory.data<u64>([
  0xeeeeeeeeeeeeeeee, 0xeeeeeeeeeeeeeeee, 0x00000000eeeeeeee, 0,
])

/** In place of the padding behind the length of a log's data: whether it is none of a contract. */
const IS_TRANSFER: usize = 8

/** Turns the words of all logs into bytes, and notes which ones are transfers. */
export function readLogs(logs: usize, end: usize): void {
  for (let log = logs; log < end; log = nextLog(log)) {
    store<u32>(log, u32(equal(log + 16, TRANSFERS)), IS_TRANSFER)
    toBytes(log + 16, log + 16)
    for (let topic: u32 = 0; topic < topicsOf(log); topic++) {
      toBytes(topicAt(log, topic), topicAt(log, topic))
    }
  }
}

/** Shown, but neither in a bloom nor in a receipt. */
export function isTransfer(log: usize): bool {
  return load<u32>(log, IS_TRANSFER) != 0
}

export function emitterAt(log: usize): usize {
  return log + EMITTER
}

export function topicsOf(log: usize): u32 {
  return load<u32>(log)
}

export function topicAt(log: usize, index: u32): usize {
  return log + HEADER + (<usize>index << 5)
}

export function dataAt(log: usize): usize {
  return topicAt(log, topicsOf(log))
}

export function dataLength(log: usize): u32 {
  return load<u32>(log, 4)
}

export function nextLog(log: usize): usize {
  return (dataAt(log) + dataLength(log) + 15) & ~15
}
