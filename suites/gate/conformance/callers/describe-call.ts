import { decodeFunctionData } from 'viem'
import type { JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import { gameAbi } from './game-abi.ts'

/** A transaction as people read it: the function and its arguments by name, or the data as it is. */
export function describeCall(transaction: {
  from?: Hex | undefined
  nonce: number
  to: Hex | undefined
  data: Hex
  value?: bigint
}): JsonObject {
  const { from, nonce, to, data, value } = transaction
  const who = { ...(from && { from }), nonce, to, ...(value && { value: String(value) }) }
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: gameAbi, data })
    const { inputs } = gameAbi.find((item) => item.name === functionName)!
    const named = inputs.map(({ name }, index) => [name ?? String(index), String(args[index])])
    return { ...who, call: functionName, args: Object.fromEntries(named) }
  } catch {
    return { ...who, data }
  }
}
