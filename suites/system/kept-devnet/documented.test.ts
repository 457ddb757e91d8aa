import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createPublicClient, webSocket } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import { closeSocket } from '../end-to-end/close-socket.ts'
import { onEachBlockUntil } from '../end-to-end/on-each-block-until.ts'
import { firstLine } from './killed-devnet.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const COMMAND = join(ROOT, 'devnet', 'cli', 'rollbed.sh')
const PAGE = readFileSync(join(ROOT, 'devnet', 'docs', 'state.md'), 'utf8')
const WALLET = `0x${'5a'.repeat(20)}` as const

/** As the page prints it. */
const [documented] = /^rollbed up --state \S+$/m.exec(PAGE) ?? []

const LINES = [documented!, 'rollbed up --state . --config-out devnet.json']

test.each(drawShare(drawnBy, LINES, 1 / 2))(
  'given a fresh folder, when `%s` is run there, stopped, run again, killed and run once more, then each time it is the same devnet',
  async (line) => {
    const folder = mkdtempSync(join(tmpdir(), 'rollbed-documented-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const answers: { hash: string; status: number; builderCode: string }[] = []
    for (const signal of ['SIGINT', 'SIGKILL', 'SIGINT'] as const) {
      const { description, end } = await run(folder, line)
      answers.push(await ask(description))
      await end(signal)
    }
    const [first, ...later] = answers
    expect(first!.status).toBe(201)
    expect(later).toEqual([
      { ...first, status: 200 },
      { ...first, status: 200 },
    ])
  },
  120_000,
)

/** The devnet of a command as printed, but on free ports, where others may run. */
async function run(folder: string, line: string) {
  const [, ...args] = line.split(' ')
  const child = spawn(COMMAND, [...args, '--json', '--port-base', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  const complaints = text(child.stderr!)
  const ready = await firstLine(child)
  if (ready === undefined) throw new Error(`${line} did not start: ${await complaints}`)
  const end = async (signal: NodeJS.Signals) => {
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
  }
  return { description: JSON.parse(ready) as DevnetDescription, end }
}

/** The hash of block 1, once it is sealed, and what the API says to a wallet. */
async function ask({ wsUrl, apiUrl }: DevnetDescription) {
  const l2 = createPublicClient({ transport: webSocket(wsUrl) })
  await onEachBlockUntil(l2, async () => (await l2.getBlockNumber({ cacheTime: 0 })) >= 1n)
  const { hash } = await l2.getBlock({ blockNumber: 1n })
  await closeSocket(l2)
  const answer = await fetch(`${apiUrl}/v1/agents/builder-codes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress: WALLET }),
  })
  const { builderCode } = (await answer.json()) as { builderCode: string }
  return { hash, status: answer.status, builderCode }
}
