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
  ])('%j exits 2 with a stable code, a sentence and a hint', async (args, sentence) => {
    expect(await run(args)).toBe(2)
    expect(said).toBe(`${sentence}\nSee 'rollbed --help'.\n`)
  })
})
