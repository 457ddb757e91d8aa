import { type Abi, decodeErrorResult, type Hex } from 'viem'
import { readArtifacts } from '#devnet/dashboard/read-artifacts'

/**
 * What a call gave back when it reverted, in the words of the contract: `TooLittle(1, 9)`.
 * @param artifacts folder of compiled contracts, if there is one; reasons as text need none
 * @returns undefined where nobody knows the error
 */
export async function nameError(output: Hex, artifacts?: string): Promise<string | undefined> {
  const known = artifacts ? (await readArtifacts(artifacts)).flatMap(({ abi }) => abi) : []
  const abi: Abi = known.filter(({ type }) => type === 'error')
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data: output })
    return `${errorName}(${args.map(String).join(', ')})`
  } catch {
    return undefined
  }
}
