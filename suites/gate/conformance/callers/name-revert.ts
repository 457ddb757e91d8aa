import { decodeErrorResult, type Hex, isHex, parseAbi } from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import type { JsonObject } from '../matchers/expect-shape.ts'

/** What the contracts that callers send to revert with. BadExtraData is in no ABI: it is written by hand. */
const errorAbi = [
  ...parseAbi(['error BadExtraData()']),
  ...[
    ...aggregateVerifierAbi,
    ...anchorStateRegistryAbi,
    ...disputeGameFactoryAbi,
    ...teeProverRegistryAbi,
    ...teeVerifierAbi,
  ].filter((item) => item.type === 'error'),
]

/**
 * Why a contract refused, by the name of its error, such as `InvalidSigner(0x…)`; the message of the answer
 * where it has no data, the data where nobody knows its error.
 * @returns undefined when the answer is no error
 */
export function nameRevert({ error }: JsonObject): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { data, message } = error as { data?: unknown; message?: unknown }
  const bytes = revertData(data)
  if (!bytes) return String(message)
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: errorAbi, data: bytes })
    return `${errorName}(${args.map(String).join(', ')})`
  } catch {
    return `${String(message)} ${bytes}`
  }
}

/** Some nodes put the bytes into a member of their own. */
function revertData(data: unknown): Hex | undefined {
  if (isHex(data) && data.length > 2) return data
  if (typeof data === 'object' && data !== null && 'data' in data) return revertData(data.data)
  return undefined
}
