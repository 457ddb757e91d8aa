import { expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { watchNpx } from './watch-npx.ts'

/** What npm 11 sets for `npx rollbed up`. */
const NPX = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'rollbed'" }

/** Whether it is noticed within a minute that the parent has become another after ten seconds. */
async function isNoticed(env: NodeJS.ProcessEnv): Promise<boolean> {
  const clock = new VirtualClock()
  let parent = 7
  let isGone = false
  const { gone, cancel } = watchNpx(clock, env, () => parent)
  gone.then(() => {
    isGone = true
  })
  await clock.advance(10_000)
  expect(isGone).toBe(false)
  parent = 1
  await clock.advance(60_000)
  cancel()
  return isGone
}

test('given a command that npx began, when its shell is gone, then that is noticed', async () => {
  expect(await isNoticed(NPX)).toBe(true)
})

test.each<[string, NodeJS.ProcessEnv]>([
  ['nobody of npm', {}],
  ['a script of a package', { ...NPX, npm_lifecycle_event: 'predev' }],
  ['a program of others that npx began', { ...NPX, npm_lifecycle_script: 'vitest run' }],
])('given %s, when the shell is gone, then the command goes on', async (_, env) => {
  expect(await isNoticed(env)).toBe(false)
})

test('given a command that ends by itself, then nobody looks any more', async () => {
  const clock = new VirtualClock()
  let looks = 0
  watchNpx(clock, NPX, () => ++looks && 7).cancel()
  await clock.advance(60_000)
  expect(looks).toBe(1)
})
