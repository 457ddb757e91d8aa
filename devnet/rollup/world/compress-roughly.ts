import { brotliCompressSync, constants } from 'node:zlib'
import { concatBytes } from '@ethereumjs/util'
import type { CompressChannel } from '#devnet/l2/batcher/build-channel'
import { compressChannel } from '#protocol/derivation/channel-compression'

/** OP specification, Fjord: what a brotli channel begins with. */
const BROTLI_VERSION = 1
const ROUGHLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** Channels of a simulated world: nobody pays for their bytes, and the smallest take a twentieth of its CPU time. */
export const compressRoughly: CompressChannel = (rlpBatches, compression) =>
  compression === 'brotli'
    ? concatBytes(Uint8Array.of(BROTLI_VERSION), brotliCompressSync(rlpBatches, ROUGHLY))
    : compressChannel(rlpBatches, compression)
