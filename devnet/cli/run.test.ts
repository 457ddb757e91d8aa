import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { run } from './run.ts'

let said: string
beforeEach(() => {
  said = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text
    return true
  })
  vi.spyOn(console, 'error').mockImplementation((line) => {
    said += `${line}\n`
  })
})
afterEach(() => vi.restoreAllMocks())

describe('a command line that is wrong', () => {
  test.each([
    [['bogus'], "USAGE: Unknown command 'bogus'.", 'rollbed'],
    [['journal', 'encode'], "USAGE: Missing required argument 'json'.", 'rollbed journal encode'],
    [
      ['up', '--portbase', '3'],
      "USAGE: Unknown option '--portbase'.\n(Did you mean --port-base?)",
      'rollbed up',
    ],
    [
      ['up', '--timestamp', '1'],
      "USAGE: --genesis-time must be a whole number from 60 to 100000000000, not '1'.",
      'rollbed up',
    ],
    [['prove'], "USAGE: Required option '--from <block>' not specified.", 'rollbed prove'],
    [
      ['prove', '--from', 'x'],
      "USAGE: --from must be a whole number from 1 to 9007199254740991, not 'x'.",
      'rollbed prove',
    ],
    [
      ['fault', 'swarm', '--runs', '0'],
      "USAGE: --runs must be a whole number from 1 to 1000000, not '0'.",
      'rollbed fault swarm',
    ],
    [
      ['state', 'export', 'state.bin', '--rpc', 'foo'],
      "USAGE: --rpc must be a URL that starts with http:// or https://, not 'foo'.",
      'rollbed state export',
    ],
    [
      ['attribution', 'encode', ...Array.from({ length: 30 }, () => 'bc_a1b2c3d4')],
      'USAGE: A suffix holds 255 bytes of codes and commas, not 359.',
      'rollbed attribution encode',
    ],
  ])(
    'given %j, then it exits 2 with a stable code, a sentence and the help of that command',
    async (args, sentence, command) => {
      expect(await run(args)).toBe(2)
      expect(said).toBe(`${sentence}\nSee '${command} --help'.\n`)
    },
  )
})

describe('a command that there is not', () => {
  test.each([
    ['audit', 'journal audit'],
    ['verify', 'one of report verify, journal verify, attestation verify'],
    ['start', 'up'],
    ['test', 'conform'],
    ['jurnal', 'journal'],
    ['proof', 'prove'],
  ])('given %s, then it suggests %s', async (word, suggested) => {
    expect(await run([word, 'x'])).toBe(2)
    expect(said).toContain(`USAGE: Unknown command '${word}'.\n(Did you mean ${suggested}?)\n`)
  })

  test.each([[['bogus']], [['logs']], [['hasp']], [['constructor']], [['report', 'diet']]])(
    'given %j, which is like no command, then it suggests none of another letter',
    async (args) => {
      expect(await run(args)).toBe(2)
      for (const [, names] of said.matchAll(/Did you mean (?:one of )?(.*)\?/g))
        for (const name of names!.split(', ')) expect(name[0]).toBe(args.at(-1)![0])
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
    const names = [...shown.split('Examples:')[0]!.matchAll(/^ {2}([a-z]+) .*$/gm)].map(
      ([, name]) => name!,
    )
    expect(names).toEqual(expect.arrayContaining(['up', 'prove', 'conform', 'doctor']))
    for (const name of names.filter((name) => name !== 'help')) {
      shown = ''
      expect(await run([name, '--help'])).toBe(0)
      expect(shown).toContain(`Usage: rollbed ${name}`)
      expect(shown).toMatch(/^Examples:\n {2}rollbed /m)
    }
  })
})
