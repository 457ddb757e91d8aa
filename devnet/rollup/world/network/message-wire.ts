import type { Wire } from './wire.ts'

/** Longest message; a length beyond it was damaged on the way. */
const LONGEST = 512 * 1024 * 1024
const HEADER = 4

/** Texts over a wire, each behind its length. */
export class MessageReader {
  #parts: Uint8Array[] = []
  #length = 0

  /** @returns the messages that are complete now; undefined where no message can be read any more */
  read(bytes: Uint8Array): string[] | undefined {
    this.#parts.push(bytes)
    this.#length += bytes.length
    if (this.#length < HEADER) return []
    let buffer = this.#parts.length === 1 ? Buffer.from(bytes) : Buffer.concat(this.#parts)
    const messages: string[] = []
    while (buffer.length >= HEADER) {
      const length = buffer.readUInt32BE(0)
      if (length > LONGEST) return undefined
      if (buffer.length < HEADER + length) break
      messages.push(buffer.toString('utf8', HEADER, HEADER + length))
      buffer = buffer.subarray(HEADER + length)
    }
    this.#parts = buffer.length > 0 ? [buffer] : []
    this.#length = buffer.length
    return messages
  }

  /** Nothing of an unfinished message has come. */
  get isEmpty(): boolean {
    return this.#length === 0
  }
}

export function writeMessage(wire: Wire, text: string): void {
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(HEADER + length)
  frame.writeUInt32BE(length)
  frame.write(text, HEADER)
  wire.write(frame)
}
