import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Engine } from '#protocol/evm/engine'
import { giveBackEngine, takeEngine } from '#protocol/evm/idle-engines'
import { runSmallWorld } from './run-small-world.ts'

const PLAYER = join(import.meta.dirname, 'print-small-world.ts')

/** Of L2's blocks, of L1's and of calls to L1. */
const LEAST_ENGINES = 3

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

async function inAnotherProcess(seed: number, ...flags: string[]): Promise<string> {
  const limits = { maxBuffer: 256 * 1024 * 1024 }
  const args = [PLAYER, String(seed), ...flags]
  const { stdout } = await promisify(execFile)(process.execPath, args, limits)
  return digest(stdout)
}

/** Those that wait for a use; one that has reserved nothing is new. */
function idleEngines(): Engine[] {
  const engines: Engine[] = []
  let engine = takeEngine()
  for (; engine.memoryBytes > 0; engine = takeEngine()) engines.push(engine)
  for (const each of [...engines].reverse()) giveBackEngine(each)
  return engines
}

describe('a simulated world', () => {
  test('given the same seed, plan and load, then the events are the same, byte for byte: twice here, in another process, and with debug logging', async () => {
    const others = Promise.all([inAnotherProcess(7), inAnotherProcess(7, 'debug')])
    const first = await runSmallWorld(7)
    const second = await runSmallWorld(7)
    expect(second.split('\n').length).toBeGreaterThan(100)
    expect(second).toBe(first)
    expect(await others).toEqual([digest(first), digest(first)])
  })

  test('given another seed, then the events are others, played on the engines of the world before', async () => {
    const first = await runSmallWorld(7, 3_000)
    const engines = idleEngines()
    expect(engines.length).toBeGreaterThanOrEqual(LEAST_ENGINES)
    expect(await runSmallWorld(8, 3_000)).not.toBe(first)
    const after = idleEngines()
    expect(after.length).toBe(engines.length)
    expect(after.every((engine) => engines.includes(engine))).toBe(true)
  })
})
