import type { Outcome } from './start-actor.ts'

/** What the outcomes of proposer, challenger and registrar tell beside their kind. */
type RoundOutcome = Outcome & {
  block?: bigint
  head?: bigint
  games?: number
  refused?: readonly unknown[]
  reason?: string
}

/**
 * What an actor does next, as far as its round tells: empty where it looks at everything again at once.
 * @example
 * nextStep({ kind: 'watching', idle: true, games: 2 }) // '2 games to check'
 */
export function nextStep(outcome: Outcome): string {
  const { kind, block, head, games = 0, refused = [], reason }: RoundOutcome = outcome
  if (kind === 'waiting') return `propose block ${block}, once it is final (${head} is)`
  if (kind === 'early') return `propose block ${block}, once L1 has its time`
  if (['created', 'exists', 'stale'].includes(kind)) return 'propose the next block'
  if (kind === 'watching') return `${counted(games, 'game')} to check`
  if (kind === 'reconciled') return `${counted(refused.length, 'signer')} to register`
  if (kind === 'blocked') return `go on when this is over: ${reason}`
  return ''
}

const counted = (count: number, what: string) =>
  `${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`
