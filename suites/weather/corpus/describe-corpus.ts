import { againBy } from '../again-by.ts'
import type { Failure } from './failure.ts'
import { historyOf, type Seen } from './history-of.ts'

/** What was found, since when, and by whom it was mended: what the page shows. */
export interface CorpusDescription {
  schema: 'rollbed.found/1'
  broken: number
  mended: number
  failures: {
    key: string
    checker: string
    problem: string
    where: readonly string[]
    body: Failure['body']
    since: Seen
    last: Seen
    mended?: Seen & {
      /** The commits among which the mending one is, as `id author: subject`; absent: git does not know. */
      by?: readonly string[]
    }
    /** One pasteable line that plays it again. */
    again: string
  }[]
}

/**
 * A corpus for readers, the oldest failure first.
 * @param commitsBetween two builds, where they are known
 */
export function describeCorpus(
  failures: readonly Failure[],
  commitsBetween: (before: string, after: string) => readonly string[] | undefined,
): CorpusDescription {
  const described = failures.map((failure) => {
    const { key, checker, problem, where, body, plan } = failure
    const { since, last, mended } = historyOf(failure)
    const by = mended && commitsBetween(last.build, mended.build)
    return {
      ...{ key, checker, problem, where, body, since, last },
      ...(mended && { mended: { ...mended, ...(by && { by }) } }),
      again: againBy(plan, body),
    }
  })
  const mended = described.filter((each) => each.mended).length
  return {
    schema: 'rollbed.found/1',
    broken: described.length - mended,
    mended,
    failures: described,
  }
}
