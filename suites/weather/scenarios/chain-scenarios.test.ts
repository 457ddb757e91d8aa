import { test } from 'vitest'
import { chainScenarios } from './chain-scenarios.ts'
import { expectSimulated, inSimulation } from './expect-simulated.ts'

test.each(inSimulation(chainScenarios))(
  'given $name in a simulated world, then all that must hold holds',
  expectSimulated,
)
