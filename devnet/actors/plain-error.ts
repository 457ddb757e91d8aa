import { BaseError } from 'viem'
import { RollbedError } from '#protocol/errors/rollbed-error'

/**
 * An error as an actor reports it: viem wraps what the endpoint threw, such as RpcUnreachable, and
 * has pages to say about it; what the endpoint itself said of a call stays.
 */
export function plainError(error: unknown): RollbedError {
  if (error instanceof RollbedError) return error
  if (!(error instanceof BaseError)) {
    const message = error instanceof Error ? error.message : String(error)
    return new RollbedError('ACTOR_FAILED', message, { cause: error })
  }
  const ours = error.walk((cause) => cause instanceof RollbedError)
  if (ours instanceof RollbedError) return ours
  const { shortMessage, details } = error
  const isComplete = !details || shortMessage.includes(details)
  return new RollbedError(
    'L1_CALL_FAILED',
    isComplete ? shortMessage : `${shortMessage} (${details})`,
    {
      cause: error,
    },
  )
}
