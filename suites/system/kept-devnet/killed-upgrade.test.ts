import fs, { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import pino from 'pino'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { devnetSettings } from '#devnet/base/options/devnet-settings'
import { openCodeRegistry } from '#devnet/builder-codes/code-registry'
import { openStateFolder } from '#devnet/rollup/start/state-folder'
import { seededRng } from '#protocol/random/rng'
import { unpackVersion1 } from './unpack-version1.ts'

afterEach(restore)

/** Whatever an upgrade does, it begins with this. */
const FIRST = 'rollbed-state.json'

test('given a folder of version 1, when its upgrade is killed at any step and it is opened again, then all that users saw is there', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'rollbed-upgrade-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const [whole, state] = [join(parent, 'whole'), join(parent, 'state')]
  const seen = unpackVersion1(whole)
  const steps: string[] = []
  for (let isKilled = true; isKilled; ) {
    rmSync(state, { recursive: true, force: true })
    cpSync(whole, state, { recursive: true })
    const step = killAt(steps.length)
    await open(state, steps.length).then(
      (kept) => kept.stop(),
      () => {},
    )
    restore()
    // Whatever was killed may have been survived, or have been another's.
    isKilled = step() !== ''
    if (isKilled) steps.push(step())
    const at = `after ${steps.at(-1)} (${steps.length})`
    const kept = await open(state, 1_000).catch((error) => {
      throw new Error(`${at}: ${error.message}`, { cause: error })
    })
    const l2 = seen.l2.map((_, number) => kept.l2.blocks.byNumber(BigInt(number))?.hash)
    expect([at, l2]).toEqual([at, seen.l2])
    const l1 = kept.l1.kept.sql.prepare('SELECT hash FROM block ORDER BY number').all()
    expect([at, l1.map(({ hash }) => hash)]).toEqual([at, seen.l1])
    const codes = openCodeRegistry(kept.builderCodes.open(), seededRng('codes'))
    for (const [wallet, code] of Object.entries(seen.codes))
      expect([at, codes.register(wallet as `0x${string}`).builderCode]).toEqual([at, code])
    codes.close()
    await kept.stop()
    const files = fs.readdirSync(state).map((name) => statSync(join(state, name)).mode & 0o077)
    expect([at, Math.max(...files)]).toEqual([at, 0])
    expect(readFileSync(join(state, FIRST), 'utf8')).not.toContain('isUpgrade')
  }
  // Each kind of step was one to be killed at.
  for (const kind of ['writeFileSync', 'renameSync', 'chmodSync', 'writeSync', 'COMMIT', 'run'])
    expect(steps.filter((step) => step.includes(kind))).not.toEqual([])
})

const open = (state: string, seed: number) => {
  const settings = devnetSettings({ state, manual: true, clock: 'manual', enclaves: 0 })
  onTestFinished(() => settings.clock.release())
  const logger = pino({ level: 'silent' })
  return openStateFolder(state, settings, { rng: seededRng(`upgrade ${seed}`), logger })
}

const WRITERS = ['writeFileSync', 'renameSync', 'chmodSync', 'writeSync', 'fsyncSync'] as const

/**
 * From the n-th change of a file on nothing more is written, as after `kill -9`; of the text of that one half
 * is. What the system does for a process that has ended still is done: transactions are rolled back, files closed.
 * @returns what it was
 */
function killAt(at: number): () => string {
  let count = 0
  let step = ''
  const guard =
    (name: string, write: (...args: never[]) => unknown, half?: (...args: never[]) => void) =>
    (...args: never[]) => {
      if (count++ < at) return write(...args)
      if (count === at + 1) {
        step = `${name} ${args
          .filter((arg) => typeof arg === 'string')
          .join()
          .slice(0, 60)}`
        half?.(...args)
      }
      throw new Error('killed')
    }
  for (const name of WRITERS) {
    const write = fs[name] as (...args: never[]) => unknown
    const half = (path: string, text: string) => fs.appendFileSync(path, text.slice(0, 100))
    const isText = name === 'writeFileSync'
    vi.spyOn(fs, name).mockImplementation(
      guard(name, write, isText ? (half as never) : undefined) as never,
    )
  }
  syncBuiltinESMExports()
  const { exec } = DatabaseSync.prototype
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    const run = () => exec.call(this, sql)
    // Of the lock, and what the system does.
    if (/EXCLUSIVE|ROLLBACK/.test(sql)) run()
    else guard('exec', run)(sql as never)
  })
  const { run } = StatementSync.prototype
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
    this: StatementSync,
    ...args: never[]
  ) {
    return guard('run', () => run.apply(this, args as never))() as ReturnType<typeof run>
  } as typeof run)
  return () => step
}

function restore(): void {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
}
