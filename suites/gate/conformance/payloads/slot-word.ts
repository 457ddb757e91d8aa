import { numberToHex, padHex } from 'viem'
import type { Hex } from '../wire/hex.ts'

/** Where mappings have their entries: anywhere in 256 bits, one of them with zeros in front. */
const FAR: readonly Hex[] = [
  '0x9f3c5a0d71e84b26c0f19ad4837b65e2d1480c97f6ba2e5371c8d04e9ab36f15',
  padHex('0x5ad7e1c04b9826f3d07e', { size: 32 }),
]

/** The position of the contracts' slot of this index, 32 bytes: every third one is far away. */
export function slotWord(index: number): Hex {
  const far = index % 3 === 2 ? FAR[Math.floor(index / 3)] : undefined
  return far ?? numberToHex(index, { size: 32 })
}
