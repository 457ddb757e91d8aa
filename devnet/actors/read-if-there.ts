import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } from 'viem'

/**
 * What a view answers, or `otherwise` where the contract has no such function: people put simpler
 * contracts in the place of real ones. A revert that gives a reason stays an error.
 * @example await readIfThere(l1.readContract({ ...weth, functionName: 'delay' }), 0n)
 */
export async function readIfThere<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (isMissingFunction(error)) return otherwise
    throw error
  }
}

/** A contract that lacks a function reverts without data, or answers nothing where it has a fallback. */
function isMissingFunction(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk(
    (each) =>
      each instanceof ContractFunctionZeroDataError ||
      each instanceof ContractFunctionRevertedError,
  )
  return cause instanceof ContractFunctionRevertedError
    ? cause.raw === '0x'
    : cause instanceof ContractFunctionZeroDataError
}
