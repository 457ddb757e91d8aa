import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { CallRequest } from '../calls/call-request.ts'

const MOST = 1_000

/** Which functions of which contracts took long when they were last called. */
export class LongCalls {
  readonly #keys = new Set<string>()

  has(request: CallRequest): boolean {
    return this.#keys.size > 0 && this.#keys.has(keyOf(request))
  }

  /** What was found for the last call. */
  note(request: CallRequest, isLong: boolean): void {
    if (!isLong) {
      this.#keys.delete(keyOf(request))
      return
    }
    if (this.#keys.size >= MOST) this.#keys.clear()
    this.#keys.add(keyOf(request))
  }
}

function keyOf({ message: { to, data } }: CallRequest): string {
  return `${to}${bytesToHex(data.subarray(0, 4))}`
}
