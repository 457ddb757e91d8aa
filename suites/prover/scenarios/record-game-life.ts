/**
 * Records devnet/docs/game-life.md from a real run:
 *
 *     node suites/prover/scenarios/record-game-life.ts
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPublicClient, webSocket } from 'viem'
import { onEachBlockUntil } from '#suites/system/end-to-end/on-each-block-until'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'
import { playGameLife, type Step } from './play-game-life.ts'

const PAGE = join(import.meta.dirname, '../../../devnet/docs/game-life.md')
/** A proof of ten blocks is a long line. */
const LINE = 420

const INTRODUCTION = `# The life of a game

From a proof to a paid-out bond, by commands alone. Recorded from a run by
\`npx node suites/prover/scenarios/record-game-life.ts\`; play-game-life.test.ts plays the same commands and checks on
L1 what became of the game.

Start a devnet, and give the other commands in the same folder:

\`\`\`console
$ rollbed up --block-time 1
\`\`\`

A game can be disputed for five days (one day once it has two proofs), on a devnet too. \`rollbed
scenario run time-passes\` moves the clock of L1 instead, by mining one block at the next time at which
something can be done for a game. L2 does not follow: its blocks keep their L1 origin until their own
time has caught up, and after 30 minutes they hold no user transactions (maxSequencerDrift). Throw the
devnet away afterwards. After its resolution a game waits 60 s for its finality, and an unlocked bond
60 s for its payment.

After its first game the proposer runs with \`--settle-only\`: it would go on with a game for every
ten further blocks. A round that says \`nothing to settle\` came too early: let time pass, repeat it.
`

const up = new RollbedProcess(['up', '--json', '--block-time', '1', '--port-base', '0'])
try {
  const devnet = await up.ready()
  const client = createPublicClient({
    transport: webSocket(devnet.wsUrl, { reconnect: false, keepAlive: false }),
  })
  await onEachBlockUntil(client, async () => (await client.getBlockNumber({ cacheTime: 0 })) >= 10n)
  const { steps } = await playGameLife(devnet)
  await writeFile(PAGE, [INTRODUCTION, ...steps.map(section)].join('\n'))
} finally {
  await up.stop()
}

function section({ why, args, outcome }: Step): string {
  const shown = `${outcome.stderr}${outcome.stdout}`.trimEnd().split('\n').map(cut)
  return [why, '', '```console', `$ rollbed ${args.join(' ')}`, ...shown, '```', ''].join('\n')
}

function cut(line: string): string {
  return line.length > LINE ? `${line.slice(0, LINE)} …` : line
}
