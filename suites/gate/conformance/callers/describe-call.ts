import { decodeFunctionData } from 'viem'
import type { JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import { gameAbi } from './game-abi.ts'

/** A transaction as people read it: the function and its arguments by name, or the data as it is. */
export function describeCall(transaction: {
  nonce: number
  to: Hex | undefined
  data: Hex
}): JsonObject {
  const { nonce, to, data } = transaction
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: gameAbi, data })
    const { inputs } = gameAbi.find((item) => item.name === functionName)!
    const named = inputs.map(({ name }, index) => [name ?? String(index), String(args[index])])
    return { nonce, to, call: functionName, args: Object.fromEntries(named) }
  } catch {
    return { nonce, to, data }
  }
}
