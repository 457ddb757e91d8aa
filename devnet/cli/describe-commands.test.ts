import { Command } from 'commander'
import { beforeAll, expect, test } from 'vitest'
import { COMMAND_EFFECTS } from './command-effects.ts'
import { describeCommands } from './describe-commands.ts'
import { COMMANDS } from './run.ts'

const program = new Command('rollbed')
let described: ReturnType<typeof describeCommands>
beforeAll(async () => {
  for (const load of Object.values(COMMANDS)) (await load())(program, () => {})
  described = describeCommands(program)
})

/** The help text of a command, as commander writes it. */
function helpOf(path: string): string {
  let command: Command = program
  for (const word of path.split(' ').slice(1)) {
    command = command.commands.find((each) => each.name() === word)!
  }
  return command.helpInformation()
}

test('given the help of every command, then what it says of flags is in the description', () => {
  expect(described.length).toBeGreaterThan(30)
  for (const { command, flags } of described) {
    const lines = [
      ...helpOf(command).matchAll(/^ {2}(?:-\w, )?(--[\w-]+)(?: [<[]([^>\]]+)[>\]])?/gm),
    ]
    const inHelp = lines.filter(([, flag]) => flag !== '--help')
    expect(flags.map(({ flag, value }) => [flag, value])).toEqual(
      inHelp.map(([, flag, value]) => [flag, value ?? null]),
    )
  }
})

test('given a command, then its effects are told, and none is told of a command that is not there', () => {
  const names = described.map(({ command }) => command.replace(/^rollbed /, ''))
  expect(Object.keys(COMMAND_EFFECTS).sort()).toEqual(names.sort())
})

test('given flags that bring an effect with them, then the effect is told', () => {
  const meant = {
    '--out': 'writes files',
    '--config-out': 'writes files',
    '--rpc': 'asks the network',
    '--key': 'sends to L1',
    '--port-base': 'stays',
  } as const
  const silent = described.flatMap(({ command, flags, effects }) =>
    flags
      .filter(({ flag }) => flag in meant)
      // Reports are signed with keys of another kind.
      .filter(({ flag }) => !(command.startsWith('rollbed report ') && flag === '--key'))
      // A rehearsal ends with its program.
      .filter(({ flag }) => !(command === 'rollbed rehearse' && flag === '--port-base'))
      .filter(({ flag }) => !effects.includes(meant[flag as keyof typeof meant]))
      .map(({ flag }) => `${command} ${flag}`),
  )
  expect(silent).toEqual([])
})

test('given a command, then an example begins with it', () => {
  const without = described.filter(
    ({ command, examples }) => !examples.some((line) => `${line} `.startsWith(`${command} `)),
  )
  expect(without.map(({ command }) => command)).toEqual([])
})

test('given what has a default or is required, then it says so', () => {
  const flagOf = (command: string, name: string) =>
    described.find((each) => each.command === command)!.flags.find(({ flag }) => flag === name)
  expect(flagOf('rollbed up', '--block-time')).toMatchObject({ default: 2, isRequired: false })
  expect(flagOf('rollbed prove', '--from')).toMatchObject({ isRequired: true, value: 'block' })
  const [faucet] = described.filter(({ command }) => command === 'rollbed faucet')
  expect(faucet!.arguments).toMatchObject([{ name: 'address', isRequired: true }])
})
