import { startDevnet } from '../../devnet/index.ts'
import { systemClock } from '../../enclave-sim/clock/system-clock.ts'
import { startPlainEndpoint } from '../../mocks/index.ts'
import {
  createTestMnemonicDriver,
  mutantsExitCode,
  runMutants,
  summariseMutants,
} from '../conformance/index.ts'
import { targetsOf } from './targets-of.ts'

/**
 * `npm run mutants [glob]`: breaks a devnet in each way the zoo knows, one at a time, and fails
 * unless the gate notices every one by a case of the broken rule.
 */
const only = process.argv[2]
await using devnet = await startDevnet()
const { rpcUrl } = devnet.description
const plain = await startPlainEndpoint({ target: rpcUrl, clock: systemClock })
// Any endpoint with pre-confirmations may be configured as the test network.
const targets = { ...targetsOf(devnet.description), rpcTestnet: rpcUrl, rpcPlain: plain.url }
const signal = new AbortController().signal
const driver = await createTestMnemonicDriver({ targets, clock: systemClock, signal })
const report = await runMutants({
  targets,
  driver,
  clock: systemClock,
  ...(only && { only }),
  onProgress: ({ done, total, outcome }) =>
    process.stderr.write(`${done}/${total} ${outcome.verdict} ${outcome.id}\n`),
})
process.stdout.write(`${summariseMutants(report)}\n`)
await plain.stop()
process.exitCode = mutantsExitCode(report)
