import { appendFileSync } from 'node:fs'
import type { Outcome } from './outcome.ts'

/** What we use of mocha's runner, which is the checkout's own. */
interface Runner {
  on(event: 'pass' | 'pending', heard: (test: Titled) => void): void
  on(event: 'fail', heard: (test: Titled, error: unknown) => void): void
}

interface Titled {
  fullTitle(): string
}

/**
 * A mocha reporter of one JSON object a line, written as the run goes on. mocha's own of JSON throws at the
 * end where an error holds a bigint, as those of ethers do, and then a whole run is lost.
 *
 * The file is named by the environment: ROLLBED_OUTCOMES. mocha takes reporters by `require`.
 */
class JsonLinesReporter {
  constructor(runner: Runner) {
    const file = process.env.ROLLBED_OUTCOMES!
    const write = (outcome: Outcome) => appendFileSync(file, `${JSON.stringify(outcome)}\n`)
    runner.on('pass', (test) => write({ title: test.fullTitle(), state: 'pass' }))
    runner.on('pending', (test) => write({ title: test.fullTitle(), state: 'pending' }))
    runner.on('fail', (test, error) =>
      write({ title: test.fullTitle(), state: 'fail', message: messageOf(error) }),
    )
  }
}

function messageOf(error: unknown): string {
  const { shortMessage, message } = Object(error)
  return String(shortMessage ?? message ?? error)
}

export { JsonLinesReporter as 'module.exports' }
