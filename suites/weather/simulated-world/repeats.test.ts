import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runSmallWorld } from './run-small-world.ts'

const PLAYER = join(import.meta.dirname, 'print-small-world.ts')

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

async function inAnotherProcess(seed: number, ...flags: string[]): Promise<string> {
  const limits = { maxBuffer: 256 * 1024 * 1024 }
  const args = [PLAYER, String(seed), ...flags]
  const { stdout } = await promisify(execFile)(process.execPath, args, limits)
  return digest(stdout)
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

  test('given another seed, then the events are others', async () => {
    expect(await runSmallWorld(8, 3_000)).not.toBe(await runSmallWorld(7, 3_000))
  })
})
