import { test } from 'vitest'
import { expectSimulated, inSimulation } from './expect-simulated.ts'
import { partStories } from './part-stories.ts'

test.each(inSimulation(partStories))(
  'given $name in a simulated world, then all that must hold holds',
  expectSimulated,
)
