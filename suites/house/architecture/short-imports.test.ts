import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { specifiersOf } from './imports-of.ts'
import { sourceFiles } from './source-files.ts'

/** More steps up than this are counted, not read. */
const MOST_STEPS_UP = 2

/** What a reader sees as one place: a folder of a room, such as `devnet/l2`, or a room's own files. */
const placeOfFile = (path: string) => path.split('/').slice(0, 2).join('/')

/** The imports of a file that should name their room: `#protocol/…`, `#devnet/…` (`imports` of package.json). */
function farImports(path: string, text: string): string[] {
  return specifiersOf(text)
    .filter((specifier) => specifier.startsWith('../') && specifier.endsWith('.ts'))
    .filter((specifier) => {
      const target = posix.join(posix.dirname(path), specifier)
      const steps = specifier.split('../').length - 1
      return steps > MOST_STEPS_UP || placeOfFile(target) !== placeOfFile(path)
    })
    .map((specifier) => `${path} imports ${specifier}`)
}

describe('an import', () => {
  test('given every file, then what is far away is named by its room', () => {
    const files = sourceFiles().filter(({ path }) => !path.includes('/assembly/'))
    expect(files.flatMap(({ path, text }) => farImports(path, text))).toEqual([])
  })

  test.each([
    ['../l1/start-l1.ts', 'of another folder of its room'],
    ['../../../sequencer/sequencer.ts', 'three steps up'],
  ])('given %s, %s, then it is found', (specifier) => {
    const path = 'devnet/l2/node/rpc/calls/run-call.ts'
    const text = `import { x } from '${specifier.replace('../l1', '../../../../l1')}'`
    expect(farImports(path, text)).toHaveLength(1)
  })

  test('given a neighbour, then it is named as one', () => {
    const text = "import { x } from '../selector/find-block.ts'"
    expect(farImports('devnet/l2/node/rpc/calls/run-call.ts', text)).toEqual([])
  })
})
