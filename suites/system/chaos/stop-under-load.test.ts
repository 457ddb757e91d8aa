import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { proveRange } from '#devnet/proving/prover/prove-range'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { systemClock } from '#protocol/clock/system-clock'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import { isRunning, RollbedProcess } from '../end-to-end/rollbed-process.ts'
import { rounds } from './rounds.ts'

/** A devnet that is told to end while everybody wants something of it. */

const isLong = rounds(0, 1) === 1
/** Milliseconds from the signal to the end of the process; looked at in the long form alone. */
const STOPS_WITHIN = 2_000
/** while (true) {} */
const ENDLESS = { data: '0x5b600056' }

const sockets: (Socket | WebSocket)[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) closeNow(socket)
})

function closeNow(socket: Socket | WebSocket): void {
  if (socket instanceof WebSocket) socket.terminate()
  else socket.destroy()
}

/** Sends a body and reads nothing. */
function sendUnread(url: string, body: string): void {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write(
    `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  sockets.push(socket)
}

const batch = (method: string, params: unknown[], count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method, params })))

/** Endless calls, large answers that nobody reads, subscribers, and a proof under way. */
async function load(devnet: DevnetDescription): Promise<void> {
  for (let subscriber = 0; subscriber < 20; subscriber += 1) {
    const socket = new WebSocket(devnet.wsUrl)
    sockets.push(socket)
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newFlashblocks"]}')
    await new Promise((resolve) => socket.once('message', resolve))
  }
  const proposer = roleKeys.proposer.address
  await proveRange({ ...devnet, from: 1, to: 1, interval: 1, proposer, clock: systemClock })
  const proving = proveRange({
    ...devnet,
    from: 1,
    to: 2,
    interval: 1,
    proposer,
    clock: systemClock,
  })
  proving.catch(() => {})
  for (let client = 0; client < rounds(4, 30); client += 1) {
    sendUnread(devnet.rpcUrl, batch('eth_call', [ENDLESS, 'latest'], 200))
    sendUnread(devnet.rpcUrl, batch('eth_feeHistory', ['0x400', 'latest', [1, 50, 99]], 100))
  }
  // Answered once the others have been begun.
  await fetch(devnet.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: batch('eth_blockNumber', [], 1),
  })
}

test.each(drawShare(drawnBy, ['SIGINT', 'SIGTERM'] as const, 1 / 2))(
  'given a devnet under load, when it gets %s, then it ends with all that it started',
  async (signal) => {
    const rollbed = new RollbedProcess(['up', '--json', '--port-base', '0', '--block-time', '1'])
    const devnet = await rollbed.ready()
    const children = rollbed.descendants()
    await load(devnet)
    const began = systemClock.now()
    const { exitCode, stderr } = await rollbed.stop(signal)
    const took = systemClock.now() - began
    expect([exitCode, stderr]).toEqual([0, ''])
    while (children.some(isRunning)) await new Promise(setImmediate)
    if (!isLong) return
    process.stderr.write(`${signal}: ended after ${took} ms\n`)
    expect(took).toBeLessThan(STOPS_WITHIN)
  },
)

test('given a plan of faults that goes on for half an hour, when it gets Ctrl-C, then it ends without it', async () => {
  const plan = {
    duration: 1_800_000,
    faults: [
      { target: 'link:host-l1', fault: 'latency', with: { latency: 800 } },
      { at: 1_700_000, target: 'link:host-l1', fault: 'down' },
    ],
  }
  const args = ['up', '--json', '--port-base', '0', '--faults', 'plan.json']
  const rollbed = new RollbedProcess(args, {
    prepare: (folder) => writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan)),
  })
  await rollbed.ready()
  const began = systemClock.now()
  const { exitCode, stderr } = await rollbed.stop()
  expect([exitCode, stderr]).toEqual([0, ''])
  if (isLong) expect(systemClock.now() - began).toBeLessThan(STOPS_WITHIN)
})
