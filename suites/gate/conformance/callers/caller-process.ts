import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '#protocol/clock/clock'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { type ShellProcess, spawnShell } from '../wire/spawn-shell.ts'

const LAST_LINES = 5
/** Milliseconds from one start to the next: L1 makes a block in a second, and who looks more often sees nothing new. */
const START_EVERY = 1_000

/** The command of a caller that is judged. */
export interface CallerProcess {
  /** Starts it; one that ends by itself is started again while something is awaited of it. */
  start(): void
  /**
   * Ends it; `start` starts it in the same folder, where each account of `devnet.json` is in the place of the one
   * before: who takes one by its place has another key.
   */
  changeAccounts(): Promise<void>
  /** Ends it at once, as a crash does, and starts it again in its folder. */
  crash(): Promise<void>
  /** The JSON objects that it printed since it was started last, one a line. */
  printed(): JsonObject[]
}

/** What a caller is told beyond the description of its world, and otherwise. */
export interface CallerSetting {
  env?: Readonly<Record<string, string>>
  /** Place of the account that comes first in its `devnet.json`, as the proposer's, and the other way round. */
  firstAccount?: number
}

export interface CallerProcessOptions extends CallerSetting {
  command: string
  clock: Clock
  signal: AbortSignal
  /** What stands in its `devnet.json`. */
  description: Readonly<Record<string, unknown>> & { accounts: readonly object[] }
}

/** Makes a folder for a caller and runs its command there as often as it is told to. */
export async function createCallerProcess({
  command,
  clock,
  signal,
  description,
  env = {},
  firstAccount = 0,
}: CallerProcessOptions): Promise<{
  process: CallerProcess
  isOver(): boolean
  /** Starts it if it has ended, a second after its last start at the earliest. */
  startAgain(): void
  /** What it said last, in a few lines; when it was just started, what it said before. */
  lastLines(): string
  /** Ends it; the next start is in a folder of its own. */
  forget(): Promise<void>
  stop(): Promise<void>
}> {
  const accounts = [...description.accounts]
  ;[accounts[0], accounts[firstAccount]] = [accounts[firstAccount]!, accounts[0]!]
  const folders: string[] = []
  let running: ShellProcess | undefined
  let saidBefore = ''
  let startedAt = 0

  const describeIn = async (folder: string) => {
    for (const file of ['devnet.json', '.rollbed/devnet.json'])
      await writeFile(join(folder, file), JSON.stringify({ ...description, accounts }))
  }
  const newFolder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'rollbed-caller-'))
    folders.push(made)
    await mkdir(join(made, '.rollbed'))
    await describeIn(made)
    return made
  }
  const end = async () => {
    running?.kill()
    await running?.ended
  }
  const output = () => running?.output() ?? ''
  let folder = await newFolder()
  const isOver = () => running?.isOver() ?? false
  const start = () => {
    if (running && !isOver()) throw new Error('The caller is started twice at once.')
    saidBefore = output()
    startedAt = clock.now()
    const environment = { ...process.env, ...env, DEVNET_JSON: join(folder, 'devnet.json') }
    running = spawnShell(command, [], {
      signal,
      cwd: folder,
      env: environment as Record<string, string>,
    })
  }
  return {
    process: {
      start,
      async changeAccounts() {
        await end()
        running = undefined
        accounts.push(accounts.shift()!)
        await describeIn(folder)
      },
      async crash() {
        await end()
        start()
      },
      printed: () => objectsOf(output()),
    },
    isOver,
    startAgain() {
      if (isOver() && clock.now() - startedAt >= START_EVERY) start()
    },
    lastLines: () => (output() || saidBefore).trim().split('\n').slice(-LAST_LINES).join('\n'),
    async forget() {
      await end()
      running = undefined
      folder = await newFolder()
    },
    async stop() {
      await end()
      for (const made of folders) await rm(made, { recursive: true, force: true })
    },
  }
}

/** Lines that are no JSON objects are for people. */
function objectsOf(output: string): JsonObject[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{') || !line.trimEnd().endsWith('}')) return []
    try {
      return [JSON.parse(line) as JsonObject]
    } catch {
      return []
    }
  })
}
