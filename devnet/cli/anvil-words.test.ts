import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { anvilBinary } from '#devnet/l1/anvil-binary'
import { ANVIL_WORDS, inOurWords } from './anvil-words.ts'
import { addUpCommand } from './up.ts'

const program = new Command('rollbed')
addUpCommand(program, () => {})
const [up] = program.commands
const flags = up!.options.map(({ long }) => long)

describe('the words of anvil', () => {
  test('given its help, then `rollbed up` has each option, or understands it, or says what there is', async () => {
    const { stdout } = await promisify(execFile)(anvilBinary(), ['--help'])
    const options = [...stdout.matchAll(/^ +(?:(-[a-zA-Z]), )?(--[a-z\d-]+)/gm)]
    expect(options.length).toBeGreaterThan(50)
    const names = options.flatMap(([, short, long]) => (short ? [short, long!] : [long!]))
    const known = [...flags, ...Object.keys(ANVIL_WORDS), '-h', '--help', '-V', '--version']
    expect(names.filter((name) => !known.includes(name))).toEqual([])
  })

  test('given a word of the table, then it is no flag of ours, and stands for one that is', () => {
    expect(Object.keys(ANVIL_WORDS).filter((name) => flags.includes(name))).toEqual([])
    const named = Object.values(ANVIL_WORDS).flatMap(({ ours, hint }) => [
      ...(ours ?? []),
      ...(hint?.match(/--[a-z\d-]+/g) ?? []),
    ])
    expect(named.filter((word) => word.startsWith('--') && !flags.includes(word))).toEqual([])
  })

  test.each([
    [
      ['up', '--port', '9000'],
      ['up', '--port-base', '9000'],
    ],
    [
      ['up', '--port=9000', '--silent'],
      ['up', '--port-base', '9000'],
    ],
    [
      ['up', '-f', 'http://node', '--fork-block-number', '7'],
      ['up', '--fork-url', 'http://node', '--fork-block', '7'],
    ],
    [
      ['up', '--no-storage-caching'],
      ['up', '--fork-cache', 'none'],
    ],
    [
      ['up', '--chain-id', '5', '--block-time', '1'],
      ['up', '--chain-id', '5', '--block-time', '1'],
    ],
  ])('given %j, then it is %j', (args, words) => {
    expect(inOurWords(args)).toEqual(words)
  })

  test.each([
    ['--accounts', /^'rollbed up' has no --accounts: the ten accounts are/],
    ['--host=0.0.0.0', /^'rollbed up' has no --host: everything listens on loopback\.$/],
    ['--dump-state', /has no --dump-state/],
  ])('given %s, then it is refused with what there is instead', (word, sentence) => {
    expect(() => inOurWords(['up', word, '5'])).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(sentence) }),
    )
  })
})
