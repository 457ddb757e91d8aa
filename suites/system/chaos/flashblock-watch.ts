import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { WebSocket } from 'ws'
import { systemClock } from '#protocol/clock/system-clock'

/** The longest gap between so many flashblocks, as a subscriber sees them; milliseconds. */
export async function longestGap(wsUrl: string, count: number): Promise<number> {
  const watch = await watchFlashblocks(wsUrl)
  await watch.seen(count)
  return watch.stop()
}

/** Watches until it is told to stop. */
export async function watchFlashblocks(wsUrl: string) {
  const socket = new WebSocket(wsUrl)
  await once(socket, 'open')
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newFlashblocks"]}')
  await once(socket, 'message')
  await once(socket, 'message')
  let longest = 0
  let before = systemClock.now()
  const look = () => {
    const now = systemClock.now()
    longest = Math.max(longest, now - before)
    before = now
  }
  socket.on('message', look)
  return {
    /** Resolves after so many more flashblocks. */
    async seen(count: number): Promise<void> {
      for (let seen = 0; seen < count; seen++) await once(socket, 'message')
    },
    /** Returns the longest gap, that to the present included; milliseconds. */
    stop(): number {
      look()
      socket.terminate()
      return longest
    },
  }
}

/** Resident memory of a process; megabytes. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024
}
