import { startDevnet } from '#devnet/index'
import { startCallerWorld } from '#devnet/scenarios/start-caller-world'
import { GENERATED_MUTANTS, ZOO } from '#mocks/index'
import { systemClock } from '#protocol/clock/system-clock'
import {
  createTestMnemonicDriver,
  mutantsExitCode,
  runMutants,
  summariseMutants,
} from '../conformance/index.ts'
import { startFullTargets } from './start-full-targets.ts'

/**
 * `npm run mutants [glob]`: breaks a devnet in each way the zoo knows, one at a time, and fails
 * unless the gate notices every one by a case of the broken rule.
 */
const only = process.argv[2]
// In blobs, as chains have them: PIPE-02 is judged nowhere else.
await using devnet = await startDevnet({ dataAvailability: 'blobs' })
await using full = await startFullTargets(devnet.description, systemClock)
const { targets } = full
const end = new AbortController()
const { signal } = end
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort())
const driver = await createTestMnemonicDriver({ targets, clock: systemClock, signal })
const report = await runMutants({
  targets,
  driver,
  startCallerWorld,
  clock: systemClock,
  signal,
  zoo: [...ZOO, ...GENERATED_MUTANTS],
  ...(only && { only }),
  onProgress: ({ done, total, outcome }) =>
    process.stderr.write(`${done}/${total} ${outcome.verdict} ${outcome.id}\n`),
}).catch((error: unknown) => {
  if (!signal.aborted) throw error
})
if (report) process.stdout.write(`${summariseMutants(report)}\n`)
process.exitCode = report ? mutantsExitCode(report) : 130
