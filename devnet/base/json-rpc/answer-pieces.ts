/** Characters of an answer that are sent at once: about a millisecond of copying. */
export const PIECE = 256 * 1024

/**
 * A long answer, to be sent piece by piece as its caller reads it: this thread stands still for one piece
 * at most, and what nobody reads is not copied.
 */
export function* answerPieces(text: string): Generator<Buffer, void> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PIECE, text.length)
    // Two halves of one character stay together: each for itself is none in UTF-8.
    if (end < text.length && isFirstHalf(text.charCodeAt(end - 1))) end += 1
    yield Buffer.from(text.slice(at, end))
    at = end
  }
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}
