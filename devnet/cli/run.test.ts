import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { run } from './run.ts'

let said: string
beforeEach(() => {
  said = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

describe('a command line that is wrong', () => {
  test.each([
    [['bogus'], "USAGE: Unknown command 'bogus'."],
    [['journal', 'encode'], "USAGE: Missing required argument 'json'."],
    [['up', '--portbase', '3'], "USAGE: Unknown option '--portbase'.\n(Did you mean --port-base?)"],
    [['prove'], "USAGE: Required option '--from <block>' not specified."],
  ])(
    'given %j, then it exits 2 with a stable code, a sentence and a hint',
    async (args, sentence) => {
      expect(await run(args)).toBe(2)
      expect(said).toBe(`${sentence}\nSee 'rollbed --help'.\n`)
    },
  )
})

describe('the list of commands', () => {
  test('given the help, then it shows every command, and each of them has help of its own', async () => {
    let shown = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      shown += text
      return true
    })
    expect(await run(['--help'])).toBe(0)
    const names = [...shown.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name]) => name!)
    expect(names).toEqual(expect.arrayContaining(['up', 'prove', 'conform', 'doctor']))
    for (const name of names.filter((name) => name !== 'help')) {
      shown = ''
      expect(await run([name, '--help'])).toBe(0)
      expect(shown).toContain(`Usage: rollbed ${name}`)
    }
  })
})
