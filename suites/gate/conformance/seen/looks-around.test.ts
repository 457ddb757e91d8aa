import { describe, expect, test } from 'vitest'
import { looksAround } from './looks-around.ts'

/** Some overlap, as those of several pollers do, and some moments are shared. */
function looksOf(step: number) {
  return Array.from({ length: 60 }, (_, name) => {
    const asked = (name * step) % 50
    return { name, asked, answered: asked + (name % 6), height: (name * 7) % 20 }
  })
}

describe('given looks of several pollers, at any moment', () => {
  test('then the nearest before was answered last, and the nearest after was asked first', () => {
    const looks = looksOf(37)
    const around = looksAround(looks)
    for (let moment = -1; moment < 60; moment++) {
      const before = looks.filter(({ answered }) => answered < moment)
      const after = looks.filter(({ asked }) => asked > moment)
      expect(around.before(moment)?.answered).toBe(
        before.length ? Math.max(...before.map(({ answered }) => answered)) : undefined,
      )
      expect(around.after(moment)?.asked).toBe(
        after.length ? Math.min(...after.map(({ asked }) => asked)) : undefined,
      )
    }
  })

  test('when they are joined, then no look is left out', () => {
    const looks = looksOf(13)
    const around = looksAround(looks, {
      before: (far, near) => (near.height > far.height ? near : far),
      after: (far, near) => (near.height < far.height ? near : far),
    })
    for (let moment = -1; moment < 60; moment++) {
      const before = looks.filter(({ answered }) => answered < moment)
      const after = looks.filter(({ asked }) => asked > moment)
      expect(around.before(moment)?.height).toBe(
        before.length ? Math.max(...before.map(({ height }) => height)) : undefined,
      )
      expect(around.after(moment)?.height).toBe(
        after.length ? Math.min(...after.map(({ height }) => height)) : undefined,
      )
    }
  })
})
