import { expectEqual } from './matchers/expect-equal.ts'

/** So many clients ask at once, each for something else. */
export const CLIENTS = 16
/** How often each asks, one time after the other. */
const TIMES = 4

/** What one client asks again and again, and what it must get each time. */
export interface ClientQuestion {
  ask(): Promise<unknown>
  expected: unknown
}

/**
 * Lets every client ask its own question at the same time as the others: an answer that goes to another
 * client, or is kept for the wrong question, is not the expected one.
 *
 * @param what is answered, for the one who reads a failure
 * @throws CaseFailure
 */
export async function askAtOnce(questions: readonly ClientQuestion[], what: string): Promise<void> {
  const clients = questions.map(async ({ ask, expected }, index) => {
    for (let time = 1; time <= TIMES; time++) {
      const at = `${what} to client ${index + 1} of ${questions.length}, asked the ${time}. time`
      expectEqual(await ask(), expected, at)
    }
  })
  // All of them end, so that none asks on while the next case is judged.
  const ended = await Promise.allSettled(clients)
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/** A question for each client, made of its place. */
export function forEachClient<T>(make: (index: number) => T): T[] {
  return Array.from({ length: CLIENTS }, (_, index) => make(index))
}
