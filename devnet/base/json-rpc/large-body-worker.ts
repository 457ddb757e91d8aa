import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type JsonLimits, measureJson } from './measure-json.ts'

export interface LargeBody {
  bytes: Uint8Array
  limits: JsonLimits
}

/** What became of it; `value` is what the body holds. */
export type LargeBodyAnswer = { value: unknown } | { tooMuch: string } | { isJson: false }

/** As the worker of calls: flashblocks come first where cores are few. */
const NICENESS = 5
if (process.platform === 'linux') setPriority(NICENESS)

function read({ bytes, limits }: LargeBody): LargeBodyAnswer {
  const tooMuch = measureJson(bytes, limits)
  if (tooMuch) return { tooMuch }
  try {
    return { value: JSON.parse(Buffer.from(bytes.buffer).toString()) as unknown }
  } catch {
    return { isJson: false }
  }
}

const port = parentPort!
port.on('message', (body: LargeBody) => port.postMessage(read(body)))
