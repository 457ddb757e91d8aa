// Logs, in the order they came; those of a frame that fails are cut off again.
import { Arena, exhausted, LOGS, LOGS_END } from './layout'
import { copy, equal, isZero, toBytes, WORD } from './word'

/** At 0 the number of topics, at 4 the length of the data, at 16 the emitter; topics and data follow. */
const HEADER: usize = 48

/** Behind the last log. */
export let logsEnd: usize = 0

export function clearLogs(): void {
  logsEnd = LOGS
}

export function cutLogs(end: usize): void {
  logsEnd = end
}

/**
 * @param topics their number; the words lie downwards from `firstTopic`
 * @returns where the data is to be written
 */
export function addLog(emitter: usize, topics: u32, firstTopic: usize, length: u32): usize {
  const made = logsEnd
  const data = made + HEADER + ((<usize>topics) << 5)
  logsEnd = (data + length + 15) & ~15
  if (logsEnd > LOGS_END) exhausted(Arena.LOGS)
  store<u32>(made, topics)
  store<u32>(made, length, 4)
  copy(made + 16, emitter)
  for (let topic: u32 = 0; topic < topics; topic++) {
    copy(made + HEADER + (<usize>topic << 5), firstTopic - (<usize>topic << 5))
  }
  return data
}

/** Whether value transfers are logged as well (eth_simulateV1, traceTransfers). */
let tellsTransfers = false

export function tellTransfers(tell: bool): void {
  tellsTransfers = tell
}

/** Topics downwards from the last: the receiver, the sender, Transfer(address,address,uint256). */
const transferTopics: usize = memory.data<u64>([
  0, 0, 0, 0, 0, 0, 0, 0, 0x28f55a4df523b3ef, 0x952ba7f163c4a116, 0x69c2b068fc378daa,
  0xddf252ad1be2c89b,
])
/** 0xeeee…ee (execution-apis, eth_simulateV1). */
const TRANSFER_EMITTER: usize = memory.data<u64>([
  0xeeeeeeeeeeeeeeee, 0xeeeeeeeeeeeeeeee, 0x00000000eeeeeeee, 0,
])

/** As an ERC-20 would tell it; nothing when somebody pays themselves. */
export function logTransfer(from: usize, to: usize, value: usize): void {
  if (!tellsTransfers || isZero(value) || equal(from, to)) return
  copy(transferTopics, to)
  copy(transferTopics + WORD, from)
  toBytes(value, addLog(TRANSFER_EMITTER, 3, transferTopics + 2 * WORD, 32))
}
