import { EVMError, type ExecResult, type PrecompileInput } from '@ethereumjs/evm'
import { p256 } from '@noble/curves/nist.js'

/** Where OP chains have it since Fjord; on L1 there is none before Osaka. */
export const P256_VERIFY = `0x${'0100'.padStart(40, '0')}` as const
const GAS = 3450n
const HASH = 32
const SIGNATURE = 64
/** Hash, r, s, and the two coordinates of the public key. */
const INPUT = HASH + SIGNATURE + 64
const YES = new Uint8Array(32).fill(1, 31)
const NOTHING = new Uint8Array(0)

/** RIP-7212 by @noble/curves: one, as a word, for a signature that is right, and nothing otherwise. */
export function p256Verify({ data, gasLimit }: PrecompileInput): ExecResult {
  if (gasLimit < GAS) {
    const exceptionError = new EVMError(EVMError.errorMessages.OUT_OF_GAS)
    return { returnValue: NOTHING, executionGasUsed: gasLimit, exceptionError }
  }
  return { returnValue: isRight(data) ? YES : NOTHING, executionGasUsed: GAS }
}

function isRight(data: Uint8Array): boolean {
  if (data.length !== INPUT) return false
  const signature = data.subarray(HASH, HASH + SIGNATURE)
  const key = Uint8Array.of(4, ...data.subarray(HASH + SIGNATURE))
  try {
    return p256.verify(signature, data.subarray(0, HASH), key, { prehash: false, lowS: false })
  } catch {
    // A key that is no point of the curve.
    return false
  }
}
