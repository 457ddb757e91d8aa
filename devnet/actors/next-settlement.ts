import { gameStatus } from './read-game.ts'

/** What decides how a game and its bond go on; times are seconds. */
export interface Settlement {
  status: number
  parentStatus: number
  createdAt: bigint
  /** uint64 max when no proof is left. */
  expectedResolution: bigint
  isFinalized: boolean
  /** Newer than the anchor, and valid as one. */
  mayBecomeAnchor: boolean
  bondUnlocked: boolean
  bondClaimed: boolean
  /** When the unlocked bond can be withdrawn. */
  withdrawableAt: bigint
}

export type Move = 'resolve' | 'closeGame' | 'claimCredit'

const NEVER = 2n ** 64n - 1n
/** A game that lost its last proof gives its bond back after 14 days. */
const BOND_ESCAPE_DELAY = 14n * 86_400n

/**
 * The next thing to do for a game at time `now`: nothing yet, or never again when it is done.
 * `claimCredit` comes twice: the first unlocks the bond, the second pays it out.
 */
export function nextSettlement(game: Settlement, now: bigint): Move | 'wait' | 'done' {
  if (game.status === gameStatus.inProgress) {
    if (game.expectedResolution === NEVER)
      return now < game.createdAt + BOND_ESCAPE_DELAY ? 'wait' : nextClaim(game, now)
    if (game.parentStatus === gameStatus.inProgress) return 'wait'
    const lost = game.parentStatus === gameStatus.challengerWins
    return lost || now >= game.expectedResolution ? 'resolve' : 'wait'
  }
  if (game.isFinalized && game.mayBecomeAnchor) return 'closeGame'
  const claim = nextClaim(game, now)
  // Only the anchor is left to wait for.
  if (claim === 'done' && !game.isFinalized) return 'wait'
  return claim
}

function nextClaim(game: Settlement, now: bigint): Move | 'wait' | 'done' {
  if (game.bondClaimed) return 'done'
  if (!game.bondUnlocked) return 'claimCredit'
  return now >= game.withdrawableAt ? 'claimCredit' : 'wait'
}
