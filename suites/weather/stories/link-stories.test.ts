import { test } from 'vitest'
import { expectSimulated, inSimulation } from './expect-simulated.ts'
import { linkStories } from './link-stories.ts'

test.each(inSimulation(linkStories))(
  'given $name in a simulated world, then all that must hold holds',
  expectSimulated,
)
