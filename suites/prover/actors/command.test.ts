import { Command } from 'commander'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { addActorsCommand } from '#devnet/cli/actors'

const nowhere = 'http://127.0.0.1:9'
const contract = `0x${'11'.repeat(20)}`

afterEach(() => vi.restoreAllMocks())

async function actors(...args: string[]): Promise<void> {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const program = new Command()
  addActorsCommand(program, () => {})
  for (const actor of program.commands[0]!.commands)
    actor.exitOverride().configureOutput({ writeErr: () => {} })
  await program.parseAsync(['actors', ...args], { from: 'user' })
}

describe('rollbed actors proposer --settle-only', () => {
  test('given only L1 and a factory, then nothing else is asked for', async () => {
    const urls = ['--l1', nowhere, '--factory', contract]
    await expect(actors('proposer', '--once', '--settle-only', ...urls)).rejects.toMatchObject({
      code: 'RPC_UNREACHABLE',
    })
  })

  test.each([['--no-settle'], ['--dry-run'], ['--prover', nowhere], ['--rollup', nowhere]])(
    'given %s too, then they contradict each other',
    async (...flags) => {
      await expect(actors('proposer', '--settle-only', ...flags)).rejects.toMatchObject({
        code: 'commander.conflictingOption',
      })
    },
  )
})

test.each(['proposer', 'challenger', 'registrar'])(
  'given %s with --once, then there is nothing to scrape',
  async (name) => {
    const flags = ['--once', '--metrics-listen', '127.0.0.1:0']
    await expect(actors(name, ...flags)).rejects.toMatchObject({
      code: 'commander.conflictingOption',
    })
  },
)
