import type { L1LogJson } from './l1-json.ts'

/** Which logs are asked for, as `eth_getLogs` spells it. */
export interface LogQuery {
  address?: unknown
  topics?: unknown
}

/** Whether a log is among those asked for (EIP-1474): null is any, a list is any of it. */
export function matchLog(log: L1LogJson, { address, topics }: LogQuery): boolean {
  if (!isAnyOf(log.address, address)) return false
  if (!Array.isArray(topics)) return true
  return topics.every((wanted, position) => {
    const topic = log.topics[position]
    return topic === undefined ? false : isAnyOf(topic, wanted)
  })
}

/** An empty list restricts nothing. */
function isAnyOf(value: string, wanted: unknown): boolean {
  if (wanted === null || wanted === undefined) return true
  if (!Array.isArray(wanted)) return value === String(wanted).toLowerCase()
  if (wanted.length === 0) return true
  return wanted.some((each) => each === null || value === String(each).toLowerCase())
}
