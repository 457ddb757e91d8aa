import { test } from 'vitest'
import { chainStories } from './chain-stories.ts'
import { expectSimulated, inSimulation } from './expect-simulated.ts'

test.each(inSimulation(chainStories))(
  'given $name in a simulated world, then all that must hold holds',
  expectSimulated,
)
