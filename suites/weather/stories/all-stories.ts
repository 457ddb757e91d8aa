import { chainStories } from './chain-stories.ts'
import { crossingStories } from './crossing-stories.ts'
import { linkStories } from './link-stories.ts'
import { partStories } from './part-stories.ts'
import type { Story } from './story.ts'

/** Every story by name. */
export const allStories: readonly Story[] = [
  ...linkStories,
  ...partStories,
  ...chainStories,
  ...crossingStories,
]
