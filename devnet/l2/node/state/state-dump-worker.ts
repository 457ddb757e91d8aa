import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash, Hex } from '#protocol/types/bytes'
import { type DumpedValue, decodeStateDump } from './state-dump.ts'

/** What is told of a dump first. */
export interface StateDumpHead {
  chainId: bigint
  stateRoot: Hash
}

/** Some of its values, all bytes in one; `isLast`: nothing comes after them. */
export interface StateDumpPiece {
  values: Omit<DumpedValue, 'value'>[]
  ends: number[]
  bytes: Uint8Array
  isLast: boolean
}

export type FromStateDump =
  | { type: 'head'; head: StateDumpHead }
  | { type: 'piece'; piece: StateDumpPiece }
  | { type: 'refused'; problem: Pick<RollbedError, 'message' | 'hint'> }

/** What a piece holds at most: some milliseconds of the thread that takes it in. */
const MAX_VALUES = 128
const MAX_BYTES = 128 * 1024

/** As the worker of calls: flashblocks come first where cores are few. */
const NICENESS = 5
if (process.platform === 'linux') setPriority(NICENESS)

const port = parentPort!
const send = (message: FromStateDump) => port.postMessage(message)

function begin(hex: Hex): void {
  const { chainId, stateRoot, values } = decodeStateDump(bytesOf(hex))
  let next = 0
  send({ type: 'head', head: { chainId, stateRoot } })
  // Each message asks for one more piece.
  port.on('message', () => {
    const some: DumpedValue[] = []
    for (let bytes = 0; next < values.length && some.length < MAX_VALUES; next++) {
      const value = values[next]!
      bytes += value.value.length
      if (bytes > MAX_BYTES && some.length > 0) break
      some.push(value)
    }
    send({ type: 'piece', piece: pieceOf(some, next === values.length) })
  })
}

/** No hex is no dump, either: it has the same error. */
function bytesOf(hex: Hex): Uint8Array {
  try {
    return hexToBytes(hex)
  } catch {
    return new Uint8Array(0)
  }
}

function pieceOf(some: readonly DumpedValue[], isLast: boolean): StateDumpPiece {
  let end = 0
  const ends = some.map(({ value }) => {
    end += value.length
    return end
  })
  const values = some.map(({ hash, kind }) => ({ hash, kind }))
  return { values, ends, bytes: Buffer.concat(some.map(({ value }) => value)), isLast }
}

try {
  begin(workerData as Hex)
} catch (error) {
  if (!(error instanceof RollbedError)) throw error
  const { message, hint } = error
  send({ type: 'refused', problem: { message, hint } })
}
