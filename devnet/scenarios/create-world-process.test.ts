import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { createWorldProcess, type WorldProcess } from './create-world-process.ts'

const TIMEOUT = 60_000

/** Process ids of the children of this one that serve worlds. */
function serving(): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,ppid=,args=', '-A'], { encoding: 'utf8' })
  return lines.split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/, 2).map(Number)
    return parent === process.pid && line.includes('serve-caller-worlds') ? [pid!] : []
  })
}

describe('given worlds in a process of their own', () => {
  let worlds: WorldProcess
  beforeEach(() => {
    worlds = createWorldProcess()
  })
  afterEach(() => worlds.stop())

  test(
    'when one is started, then it is there until it is stopped, and says why it refuses',
    async () => {
      const world = await worlds.start('client')
      const l2 = httpRpcClient(world.description.rpcUrl)
      expect(await l2.request('eth_blockNumber', [])).toBe('0x0')
      await expect(world.play('no such situation')).rejects.toThrow(
        "There is no situation 'no such situation'.",
      )
      const mend = await world.fault('link:client-l2', 'down')
      await expect(l2.request('eth_blockNumber', [])).rejects.toThrow()
      await mend()
      expect(await l2.request('eth_blockNumber', [])).toBe('0x0')
      await world[Symbol.asyncDispose]()
      await expect(l2.request('eth_blockNumber', [])).rejects.toThrow()
      await worlds.stop()
      expect(serving()).toEqual([])
    },
    TIMEOUT,
  )

  test(
    'when the process is killed, then who waits hears of it, and the next world has another',
    async () => {
      const lost = worlds.start('client')
      const [first] = serving()
      process.kill(first!, 'SIGKILL')
      await expect(lost).rejects.toThrow('The process of the worlds ended with SIGKILL.')
      const world = await worlds.start('client')
      expect(serving()).not.toContain(first)
      await world[Symbol.asyncDispose]()
    },
    TIMEOUT,
  )
})
