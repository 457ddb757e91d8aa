// biome-ignore-all lint/performance/noBarrelFile: the public face of the gate
export type { CaseContext, ConformanceCase, Profile } from './conformance-case.ts'
export { AREAS } from './conformance-case.ts'
export type { Driver, DriverFactory, DriverOptions, ProvableRange } from './drivers/driver.ts'
export { loadDriver } from './drivers/load-driver.ts'
export { createTestMnemonicDriver } from './drivers/test-mnemonic-driver.ts'
export { exitCode } from './exit-code.ts'
export { type Expectation, loadExpectations } from './expectations.ts'
export {
  type MutantOptions,
  type MutantOutcome,
  type MutantReport,
  mutantsExitCode,
  oneMutantPerArea,
  runMutants,
  summariseMutants,
} from './mutants.ts'
export {
  type ConformanceOptions,
  NoSuchCase,
  type Progress,
  runConformance,
  TargetUnreachable,
} from './run-conformance.ts'
export { selectCases } from './select-cases.ts'
export { type Shard, shardCases } from './shard-cases.ts'
export { flagOf, type Targets } from './targets.ts'
