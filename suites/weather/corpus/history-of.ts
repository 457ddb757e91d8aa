import type { Failure } from './failure.ts'

/** A build, and when something was seen on it. */
export interface Seen {
  build: string
  /** ISO 8601. */
  at: string
}

export interface History {
  /** Where it broke first. */
  since: Seen
  /** Where it broke last. */
  last: Seen
  /** Where it first held after that; undefined: it is still broken, as far as is known. */
  mended?: Seen
}

/** What the plays of a failure say: since when it breaks, and whether it does no more. */
export function historyOf({ key, plays }: Pick<Failure, 'key' | 'plays'>): History {
  const seen = Object.entries(plays)
    .map(([build, play]) => ({ build, ...play }))
    .sort((one, other) => (one.at + one.build < other.at + other.build ? -1 : 1))
  const broken = seen.filter(({ broke }) => broke)
  const [since] = broken
  const last = broken.at(-1)
  if (!since || !last) throw new Error(`nobody has seen ${key} break`)
  const mended = seen.slice(seen.indexOf(last) + 1)[0]
  return {
    since: plain(since),
    last: plain(last),
    ...(mended && { mended: plain(mended) }),
  }
}

const plain = ({ build, at }: Seen): Seen => ({ build, at })
