import type { ChildProcess } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { startCallerWorld } from '#devnet/scenarios/start-caller-world'
import { startDevnet } from '#devnet/start-devnet'
import { refusedBy } from './knock.ts'
import { listeningSockets } from './listening-sockets.ts'

/** Runs `start`, and gives what its child processes listen on by TCP. */
async function doorsOf(start: () => Promise<AsyncDisposable>) {
  const children: ChildProcess[] = []
  const take = (message: unknown) => {
    children.push((message as { process: ChildProcess }).process)
  }
  channel('child_process').subscribe(take)
  await using _world = await start()
  channel('child_process').unsubscribe(take)
  const alive = children.filter(({ pid, exitCode }) => pid !== undefined && exitCode === null)
  const sockets = listeningSockets(alive.map(({ pid }) => pid!))
  return await Promise.all(
    sockets
      .filter(({ kind }) => kind === 'tcp')
      .map(async ({ program, address, port }) => ({
        program,
        refused: [await refusedBy(address, port!), await refusedBy('localhost', port!)],
      })),
  )
}

const closed = {
  program: 'anvil',
  refused: [expect.stringMatching(/^E/), expect.stringMatching(/^E/)],
}

test.each([
  {
    what: 'a devnet with a second network',
    start: () => startDevnet({ testnet: true, enclaves: 0, logLevel: 'silent' }),
    anvils: 2,
  },
  {
    what: 'the world in which the gate judges a client',
    start: () => startCallerWorld('client'),
    anvils: 1,
  },
  {
    what: 'the one in which it judges a proposer',
    start: () => startCallerWorld('proposer'),
    anvils: 1,
  },
  {
    what: 'the one in which it judges a registrar',
    start: () => startCallerWorld('registrar'),
    anvils: 1,
  },
])('given $what, then nobody gets in at any port of its anvil', async ({ start, anvils }) => {
  expect(await doorsOf(start)).toEqual(Array(anvils).fill(closed))
})
