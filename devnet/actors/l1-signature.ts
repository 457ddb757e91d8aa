import { hexToNumber, numberToHex, slice } from 'viem'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hex } from '#protocol/types/bytes'

/**
 * An enclave's signature as L1 wants it: v raised from 0 or 1 to 27 or 28 (PRV-PROP-06, and what
 * deployed proposers do), and left alone when it is raised already.
 * @throws SignatureVInvalid
 */
export function l1Signature(signature: Hex): Hex {
  const v = hexToNumber(slice(signature, 64, 65))
  if (v === 27 || v === 28) return signature
  if (v > 1) throw new SignatureVInvalid(v)
  return `${slice(signature, 0, 64)}${numberToHex(v + 27).slice(2)}` as Hex
}

/** The same signature with v as 0 or 1. */
export function enclaveSignature(signature: Hex): Hex {
  const v = hexToNumber(slice(l1Signature(signature), 64, 65))
  return `${slice(signature, 0, 64)}0${v - 27}` as Hex
}

export class SignatureVInvalid extends RollbedError {
  constructor(v: number) {
    super('SIGNATURE_V_INVALID', `invalid ECDSA v-value: expected 0, 1, 27, or 28, got ${v}`)
  }
}
