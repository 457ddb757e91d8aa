import { test } from 'vitest'
import { expectSimulated, inSimulation } from './expect-simulated.ts'
import { partScenarios } from './part-scenarios.ts'

test.each(inSimulation(partScenarios))(
  'given $name in a simulated world, then all that must hold holds',
  expectSimulated,
)
