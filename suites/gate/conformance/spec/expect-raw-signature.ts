import { size } from 'viem'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import type { Hex } from '../wire/hex.ts'
import { HALF_ORDER } from './half-order.ts'

/**
 * A signature as enclaves give it: 65 bytes, s in the lower half of the curve order, v 0 or 1 (SIG-01, -02, -04).
 * @throws CaseFailure
 */
export function expectRawSignature(signature: Hex, at: string): void {
  expectEqual(size(signature), 65, `bytes of the signature of ${at}`)
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  expectThat(s > 0n && s <= HALF_ORDER, `at most ${HALF_ORDER}`, s, `s of ${at}`)
  const v = Number.parseInt(signature.slice(130), 16)
  expectThat(v === 0 || v === 1, '0 or 1', v, `v of ${at}`)
}
