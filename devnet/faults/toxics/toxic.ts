import type { Clock } from '#protocol/clock/clock'
import type { Rng } from '#protocol/random/rng'

/** A part of what was sent, on its way. */
export interface Piece {
  bytes: Uint8Array
  /** Milliseconds until it arrives. */
  delay: number
  /** It may arrive after what was sent later. */
  isLoose?: boolean
}

/** What a toxic can do to the direction that it sits on. */
export interface ToxicContext {
  clock: Clock
  rng: Rng
  /** Ends this direction after what is on its way. */
  end(): void
  /** Breaks the whole connection now. */
  reset(): void
}

/** One fault at work on one direction of one connection. */
export interface Toxic {
  /** What becomes of a piece: none, one or several. */
  pass?(piece: Piece): Piece[]
  /** Milliseconds by which the end comes later. */
  endDelay?: number
  /** What waits, waits in front of it, not on its way: it goes on when the fault is over. */
  queues?: boolean
  /** Data was lost: the connection cannot go on when the fault is over. */
  loses?: boolean
  /** When the fault is over, or the connection. */
  stop?(): void
}
