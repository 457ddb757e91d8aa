import { chainScenarios } from './chain-scenarios.ts'
import { linkScenarios } from './link-scenarios.ts'
import { partScenarios } from './part-scenarios.ts'
import type { Scenario } from './scenario.ts'

/** Every story by name. */
export const allScenarios: readonly Scenario[] = [
  ...linkScenarios,
  ...partScenarios,
  ...chainScenarios,
]
