import type { Hex } from '#protocol/types/bytes'

/** What a compiler says of the code of a deployed contract. */
export interface CompiledCode {
  /** `0x` for an interface. */
  deployedBytecode: Hex
  /** Bytes of the code that a deployment fills in. */
  immutables: readonly { start: number; length: number }[]
}

/** Whether a contract has this code, but for the immutables, which a deployment fills in. */
export function isCodeOf({ deployedBytecode, immutables }: CompiledCode, code: Hex): boolean {
  if (deployedBytecode.length !== code.length) return false
  const blank = (text: string) =>
    immutables.reduce((masked, { start, length }) => {
      const from = 2 + 2 * start
      return masked.slice(0, from) + '0'.repeat(2 * length) + masked.slice(from + 2 * length)
    }, text.toLowerCase())
  return blank(deployedBytecode) === blank(code)
}
