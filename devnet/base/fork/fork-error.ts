import { RollbedError } from '#protocol/errors/rollbed-error'

export type ForkErrorCode =
  | 'FORK_REMOTE_UNREACHABLE'
  | 'FORK_REMOTE_REFUSED'
  | 'FORK_BLOCK_MISSING'
  | 'FORK_BLOCK_IN_FUTURE'
  | 'FORK_CACHE_UNUSABLE'
  | 'FORK_CACHE_FULL'
  | 'FORK_NOT_PROVABLE'
  | 'FORK_CONFLICT'

/** What a devnet that starts from another chain's state cannot do, or could not read of it. */
export class ForkError extends RollbedError {
  declare readonly code: ForkErrorCode

  constructor(code: ForkErrorCode, message: string, options: { hint: string; cause?: unknown }) {
    super(code, message, options)
  }
}
