import { test } from 'vitest'
import { expectSimulated, inSimulation } from './expect-simulated.ts'
import { linkScenarios } from './link-scenarios.ts'

test.each(inSimulation(linkScenarios))(
  'given $name in a simulated world, then all that must hold holds',
  expectSimulated,
)
