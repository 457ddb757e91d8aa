import type { Clock } from '#protocol/clock/clock'

/** What is known when an answer is about to be given. */
export interface Moment {
  /** Answers of the kind so far, this one included. */
  count: number
  /** Milliseconds since the first of them. */
  age: number
  /** Whether it is the first since the chain has a new newest block. */
  isAtSeal: boolean
  /** Requests under way, this one included. */
  underWay: number
}

const SOME = 10
const LATE = 5_000

/** When a mistake shows. */
export const MOMENTS = {
  always: () => true,
  'every-third': ({ count }) => count % 3 === 0,
  'every-tenth': ({ count }) => count % 10 === 0,
  'after-a-while': ({ count }) => count > SOME,
  'at-the-seal': ({ isAtSeal }) => isAtSeal,
  concurrent: ({ underWay }) => underWay > 1,
  late: ({ age }) => age >= LATE,
} satisfies Record<string, (moment: Moment) => boolean>

export type MomentName = keyof typeof MOMENTS

/** Tells of each answer whether the mistake shows in it. `head` is the newest block, where one asks for it. */
export function createMomentWatch(name: MomentName, clock: Clock) {
  let count = 0
  let first: number | undefined
  let lastHead: unknown
  return ({ underWay = 1, head }: { underWay?: number; head?: unknown } = {}): boolean => {
    count += 1
    first ??= clock.now()
    const isAtSeal = lastHead !== undefined && head !== lastHead
    lastHead = head
    return MOMENTS[name]({ count, age: clock.now() - first, isAtSeal, underWay })
  }
}
