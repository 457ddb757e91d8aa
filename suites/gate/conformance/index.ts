// biome-ignore-all lint/performance/noBarrelFile: the public face of the gate
export { systemClock } from '#protocol/clock/system-clock'
export { applyExpectations } from './apply-expectations.ts'
export { CaseFailure, cannotJudge, notApplicable } from './case-failure.ts'
export { CLAIMS, type Claim } from './claims.ts'
export type { Area, CaseContext, ConformanceCase, Need, Profile } from './conformance-case.ts'
export { AREAS, defineCases } from './conformance-case.ts'
export type { CallerKind, CallerWorld, StartCallerWorld } from './drivers/caller-world.ts'
export { createPrivateKeyDriver } from './drivers/create-private-key-driver.ts'
export { createTestMnemonicDriver } from './drivers/create-test-mnemonic-driver.ts'
export type {
  Driver,
  DriverFactory,
  DriverOptions,
  DriverTransaction,
  ProvableRange,
  SealedTransaction,
} from './drivers/driver.ts'
export { loadDriver } from './drivers/load-driver.ts'
export { exitCode } from './exit-code.ts'
export { BadExpectations, type Expectation, loadExpectations } from './expectations.ts'
export type { JudgeOptions } from './judge-case.ts'
export {
  type MutantOutcome,
  type MutantReport,
  mutantsExitCode,
  summariseMutants,
} from './mutant-outcome.ts'
export { type MutantOptions, oneMutantPerArea, runMutants } from './mutants.ts'
export type { Draw, Effort } from './payloads/effort.ts'
export { reachTargets, TargetUnreachable } from './reach-targets.ts'
export { quoteWord } from './repro-command.ts'
export { coverRules, listGaps } from './rule-coverage.ts'
export {
  type ConformanceOptions,
  type Progress,
  runConformance,
} from './run-conformance.ts'
export { matchesId, selectCases } from './select-cases.ts'
export { type Shard, shardCases } from './shard-cases.ts'
export { flagOf, type Targets } from './targets.ts'
export { ClaimNotJudged, NoSuchCase, NoSuchVersion, type Wanted } from './wanted-cases.ts'
