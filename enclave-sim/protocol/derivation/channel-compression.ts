import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflate,
  deflateSync,
  inflateSync,
} from 'node:zlib'
import { concatBytes } from '@ethereumjs/util'

export type ChannelCompression = 'zlib' | 'brotli'

const ZLIB = { level: 9 }
/**
 * Of 11, which Node takes: some forty times as quick, for a twentieth more bytes. Whoever pays for each byte
 * of L1 would choose otherwise.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
/** OP spec, Fjord, "Brotli Channel Compression". */
const BROTLI_VERSION = 1
/**
 * More than one input byte can add to the output: deflate copies 258 bytes for two bits at most,
 * brotli whole meta-blocks of 16 MiB.
 */
const ONE_BYTE_MORE = { zlib: 4 * 258 * 2, brotli: 4 * 2 ** 24 }

/** Compresses a channel's RLP-encoded batches. */
export function compressChannel(
  rlpBatches: Uint8Array,
  compression: ChannelCompression,
): Uint8Array {
  if (compression === 'zlib') return Uint8Array.from(deflateSync(rlpBatches, ZLIB))
  return concatBytes(Uint8Array.of(BROTLI_VERSION), brotliCompressSync(rlpBatches, BROTLI))
}

/** The same bytes, made on another thread: whoever shares this one does not stand still meanwhile. */
export async function compressChannelAside(
  rlpBatches: Uint8Array,
  compression: ChannelCompression,
): Promise<Uint8Array> {
  if (compression === 'zlib') return Uint8Array.from(await promisify(deflate)(rlpBatches, ZLIB))
  const compressed = await promisify(brotliCompress)(rlpBatches, BROTLI)
  return concatBytes(Uint8Array.of(BROTLI_VERSION), compressed)
}

/**
 * The first `limit` bytes at most of what was compressed. Broken data gives what stands before the
 * break, as a streaming decoder would have read it. OP spec, Derivation, "Channel Format".
 */
export function decompressChannel(data: Uint8Array, limit: number): Uint8Array {
  const method = (data[0] ?? 0) & 0x0f
  if (method === 8 || method === 15) return decompressPrefix(data, limit, 'zlib')
  if (data[0] === BROTLI_VERSION) return decompressPrefix(data.subarray(1), limit, 'brotli')
  return new Uint8Array(0)
}

// A flush instead of a finish at the end: input that stops early is no error.
const DECOMPRESS = {
  zlib: (data: Uint8Array, maxOutputLength: number): Uint8Array =>
    inflateSync(data, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }),
  brotli: (data: Uint8Array, maxOutputLength: number): Uint8Array =>
    brotliDecompressSync(data, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

function decompressPrefix(
  data: Uint8Array,
  limit: number,
  compression: ChannelCompression,
): Uint8Array {
  const decompress = DECOMPRESS[compression]
  const room = limit + ONE_BYTE_MORE[compression]
  const attempt = (length: number) => {
    try {
      const { buffer, byteOffset, length: size } = decompress(data.subarray(0, length), room)
      // Not a Buffer: its slice() and equality are not those of a Uint8Array.
      return new Uint8Array(buffer, byteOffset, Math.min(size, limit))
    } catch (error) {
      if (!isAboutData(error)) throw error
      return undefined
    }
  }
  let output = attempt(data.length)
  if (output) return output

  // The longest prefix that decompresses: it ends before the break, or beyond the limit.
  let [good, bad] = [0, data.length]
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    const part = attempt(middle)
    if (part) [good, output] = [middle, part]
    else bad = middle
  }
  return output ?? new Uint8Array(0)
}

/** node:zlib gives errors of the data an errno; too much output is an error of Node. */
function isAboutData(error: unknown): boolean {
  const { errno, code } = error as { errno?: number; code?: string }
  return errno !== undefined || code === 'ERR_BUFFER_TOO_LARGE'
}
