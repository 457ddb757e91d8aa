import { vi } from 'vitest'

/** What vitest gives a test where nobody says otherwise; milliseconds. */
const VITEST_DEFAULT = 5_000
/** What Playwright gives one. */
const ENOUGH = 30_000

/**
 * The first test of a worker also waits for its devnet, for which vitest's five seconds are too few on
 * a busy machine. What a project has chosen itself stays.
 */
export function allowForStart(): void {
  const { __vitest_worker__: worker } = globalThis as {
    __vitest_worker__?: { config?: { testTimeout?: number } }
  }
  if (worker?.config?.testTimeout === VITEST_DEFAULT) vi.setConfig({ testTimeout: ENOUGH })
}
