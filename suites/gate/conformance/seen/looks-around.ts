/** When something was looked at; milliseconds of the run's clock. */
interface Look {
  asked: number
  answered: number
}

/** What was known before a moment, and what after one: a long run has tens of thousands of looks. */
export interface LooksAround<T> {
  /** All that were answered before the moment, in one; undefined where none was. */
  before(moment: number): T | undefined
  /** All that were asked after the moment, in one; undefined where none was. */
  after(moment: number): T | undefined
}

const nearest = <T>(_: T, nearer: T): T => nearer

/**
 * @param join how several looks make one, from the farthest to the nearest. Default: the nearest alone
 */
export function looksAround<T extends Look>(
  looks: readonly T[],
  join: { before?: (far: T, near: T) => T; after?: (far: T, near: T) => T } = {},
): LooksAround<T> {
  const byAnswered = looks.toSorted((a, b) => a.answered - b.answered)
  const byAsked = looks.toSorted((a, b) => b.asked - a.asked)
  const past = joined(byAnswered, join.before ?? nearest)
  const future = joined(byAsked, join.after ?? nearest)
  return {
    before: (moment) => past[firstIndex(byAnswered, (look) => look.answered >= moment) - 1],
    after: (moment) => future[firstIndex(byAsked, (look) => look.asked <= moment) - 1],
  }
}

/** Each with all before it. */
function joined<T>(list: readonly T[], join: (far: T, near: T) => T): T[] {
  let all: T | undefined
  return list.map((one) => {
    all = all === undefined ? one : join(all, one)
    return all
  })
}

/** Of a list that fits from some place on; its length where none does. */
function firstIndex<T>(list: readonly T[], fits: (one: T) => boolean): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(list[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
