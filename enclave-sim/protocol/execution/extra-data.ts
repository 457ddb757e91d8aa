import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Hex } from '../types/bytes.ts'
import type { Fork } from '../types/execution-config.ts'

/** EIP-1559 parameters for the next block. */
export interface FeeParameters {
  denominator: number
  elasticity: number
  /** Jovian; 0n under Isthmus. */
  minBaseFee: bigint
}

/** OP Canyon's constants, which 0/0 in the payload attributes stands for. OP spec, Holocene. */
const CANYON_FEE_PARAMETERS = { denominator: 250, elasticity: 6 }

/**
 * The header's extraData. OP spec, Holocene: version 0, denominator u32, elasticity u32; Jovian:
 * version 1 and minBaseFee u64 behind it.
 * @example
 * encodeExtraData({ denominator: 250, elasticity: 6, minBaseFee: 0n }, 'isthmus') // '0x00000000fa00000006'
 */
export function encodeExtraData(parameters: FeeParameters, fork: Fork): Hex {
  const bytes = new Uint8Array(fork === 'jovian' ? 17 : 9)
  const view = new DataView(bytes.buffer)
  const unset = parameters.denominator === 0 && parameters.elasticity === 0
  const { denominator, elasticity } = unset ? CANYON_FEE_PARAMETERS : parameters
  view.setUint32(1, denominator)
  view.setUint32(5, elasticity)
  if (fork === 'jovian') {
    view.setUint8(0, 1)
    view.setBigUint64(9, parameters.minBaseFee)
  }
  return bytesToHex(bytes)
}

/**
 * Reads the fee parameters back.
 * @throws RollbedError EXTRA_DATA_MALFORMED
 * @example
 * decodeExtraData('0x00000000fa00000006', 'isthmus').elasticity // 6
 */
export function decodeExtraData(extraData: Hex, fork: Fork): FeeParameters {
  const bytes = hexToBytes(extraData)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const [version, length] = fork === 'jovian' ? [1, 17] : [0, 9]
  if (bytes.length !== length || bytes[0] !== version) {
    throw malformed(extraData, `it is not version ${version} with ${length} bytes (${fork})`)
  }
  const denominator = view.getUint32(1)
  const elasticity = view.getUint32(5)
  if (denominator === 0 || elasticity === 0) throw malformed(extraData, 'a parameter is 0')
  return { denominator, elasticity, minBaseFee: fork === 'jovian' ? view.getBigUint64(9) : 0n }
}

function malformed(extraData: Hex, reason: string): RollbedError {
  return new RollbedError(
    'EXTRA_DATA_MALFORMED',
    `The extraData ${extraData} is invalid: ${reason}.`,
    {
      hint: 'Was the chain started with another fork?',
    },
  )
}
