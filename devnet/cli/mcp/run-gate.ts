import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { packageVersion } from '#devnet/base/package-version'
import { systemClock } from '#protocol/clock/system-clock'
import { countVerdicts, isFailing } from '#reports/model'
import { devnetTargets } from '../devnet-targets.ts'
import { UsageError } from '../usage-error.ts'

interface Judged {
  /** How many cases got each verdict: `pass`, `fail`, `gap` … */
  verdicts: Readonly<Record<string, number>>
  /** What a rule says and the devnet does not do; empty where it conforms. */
  failed: { id: string; rules: readonly string[]; why: string }[]
}

/**
 * The conformance gate over a devnet.
 * @param only as of `rollbed conform`
 * @throws RollbedError USAGE
 */
export async function runGate(
  description: DevnetDescription,
  only: string | undefined,
  signal: AbortSignal,
): Promise<Judged> {
  const gate = await import('#suites/gate/conformance/index')
  const targets = devnetTargets(description)
  const driver = await gate.createTestMnemonicDriver({ targets, clock: systemClock, signal })
  try {
    const { cases } = await gate.runConformance({
      ...{ targets, driver, signal, clock: systemClock, version: packageVersion },
      ...{ profile: description.profile, expectations: [], strict: false },
      ...(only && { only }),
    })
    if (cases.length === 0) throw new UsageError(`No case is called ${only}.`)
    const failed = cases.filter(({ verdict }) => isFailing(verdict))
    return {
      verdicts: countVerdicts(cases),
      failed: failed.map(({ id, rules, reason = '' }) => ({ id, rules, why: reason })),
    }
  } finally {
    await driver.stop?.()
  }
}
