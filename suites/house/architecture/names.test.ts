import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

/** A file that can be run as a command bears the command's name. */
const IS_COMMAND = 'import.meta.main'
/** Entry points, and the two folders whose files all export a thing of the same kind and so bear the name of their subject. */
const BY_SUBJECT = /(^|\/)(index|main)\.ts$|^devnet\/cli\/|^suites\/gate\/conformance\/cases\//

const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()

interface Exported {
  kind: string
  name: string
}

const exportsOf = (text: string): Exported[] =>
  [
    ...text.matchAll(
      /^export (?:abstract )?(?:async )?(function\*?|class|const|let|interface|type) (\w+)/gm,
    ),
  ].map(([, kind, name]) => ({ kind: kind!, name: name! }))

/** The name that the file must bear, where it holds one thing and bears neither its name nor that of its type. */
function missingName(path: string, exported: Exported[]): string | undefined {
  const values = exported.filter(({ kind }) => kind !== 'interface' && kind !== 'type')
  const only = values.length > 0 ? values : exported
  if (only.length !== 1) return undefined
  const file = plain(basename(path).replace(/\.tsx?$/, ''))
  return exported.some(({ name }) => plain(name) === file) ? undefined : only[0]!.name
}

describe('the name of a file', () => {
  test('given a file that exports one thing, then it bears its name (CONTRIBUTING.md)', () => {
    const wrong = sourceFiles()
      .filter(({ path }) => !path.endsWith('.test.ts') && !BY_SUBJECT.test(path))
      .filter(({ text }) => !text.includes(IS_COMMAND))
      .flatMap(({ path, text }) => {
        const name = missingName(path, exportsOf(text))
        return name === undefined ? [] : [`${path} exports ${name}`]
      })

    expect(wrong).toEqual([])
  })

  test('given a file under another name than its export, then it is found', () => {
    const text = 'export interface Options {}\nexport async function openInbox() {}\n'

    expect(missingName('devnet/l2/batcher/mail.ts', exportsOf(text))).toBe('openInbox')
    expect(missingName('devnet/l2/batcher/open-inbox.ts', exportsOf(text))).toBeUndefined()
  })
})

/** `static start(…)` and its like, which make an instance. */
const STATIC_MAKER = /^ +static (?:async )?#?(\w+)\(/gm

describe('how a thing is made', () => {
  test('given a class, then no static method makes it: `new` does, or a function beside it (CONTRIBUTING.md)', () => {
    const makers = sourceFiles().flatMap(({ path, text }) =>
      [...text.matchAll(STATIC_MAKER)].map(([, name]) => `${path}: ${name}`),
    )

    expect(makers).toEqual([])
  })

  test('given a static method, then it is found', () => {
    const text = 'class Inbox {\n  static async open(): Promise<Inbox> {}\n}\n'

    expect([...text.matchAll(STATIC_MAKER)].map(([, name]) => name)).toEqual(['open'])
  })
})
