import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { RollbedProcess } from '../end-to-end/rollbed-process.ts'
import { longestGap, memoryOf } from './flashblock-watch.ts'
import { rounds } from './rounds.ts'

/** One caller asks for all that the node has: flashblocks and other callers go on. */

const MEMBERS = rounds(200, 1_000)
const FLASHBLOCKS = rounds(5, 50)
const isLong = rounds(0, 1) === 1
const LARGE = '0x00000000000000000000000000000000000c0de0'

let rollbed: RollbedProcess
let devnet: DevnetDescription
const sockets: Socket[] = []

beforeAll(async () => {
  rollbed = new RollbedProcess(['up', '--json', '--port-base', '0', '--enclaves', 'none'])
  devnet = await rollbed.ready()
  const l2 = httpRpcClient(devnet.rpcUrl)
  await l2.request('anvil_mine', ['0x401'])
  await l2.request('anvil_setCode', [LARGE, `0x${'00'.repeat(24_000)}`])
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  const { exitCode } = await rollbed.stop()
  expect(exitCode).toBe(0)
})

const batch = (method: string, params: unknown[], count = MEMBERS) =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method, params })))

/** Sends a body and reads nothing. */
function sendUnread(body: string): void {
  const { port } = new URL(devnet.rpcUrl)
  const socket = connect(Number(port), '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write(
    `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  sockets.push(socket)
}

const endless = [{ to: LARGE, gas: '0x2faf080' }, 'latest', { [LARGE]: { code: '0x5b600056' } }]

describe.each([
  ['calls without an end', () => sendUnread(batch('eth_call', endless))],
  [
    'fee histories of 1,024 blocks',
    () => sendUnread(batch('eth_feeHistory', ['0x400', 'latest', [50]])),
  ],
  [
    'batches of large codes that nobody reads',
    () => {
      const body = batch('eth_getCode', [LARGE, 'latest'], rounds(100, 500))
      for (let caller = 0; caller < 30; caller++) sendUnread(body)
    },
  ],
])('%s', (name, attack) => {
  test('then flashblocks go on, and others are answered', async () => {
    const quiet = await longestGap(devnet.wsUrl, FLASHBLOCKS)
    const before = memoryOf(rollbed.child.pid!)
    attack()
    const others = Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        httpRpcClient(devnet.rpcUrl).request('eth_call', [
          { to: LARGE, data: `0x0${index}` },
          'latest',
        ]),
      ),
    )
    const attacked = await longestGap(devnet.wsUrl, FLASHBLOCKS)
    expect(await others).toEqual(['0x', '0x', '0x', '0x', '0x'])
    const grown = memoryOf(rollbed.child.pid!) - before
    for (const socket of sockets.splice(0)) socket.destroy()
    if (!isLong) return
    process.stdout.write(
      `${name}: longest gap ${attacked.toFixed(0)} ms, quiet ${quiet.toFixed(0)} ms (× ${(attacked / quiet).toFixed(2)}); memory +${grown.toFixed(0)} MB\n`,
    )
    // A tick is 200 ms: 50 ms late is a quarter.
    expect(attacked / quiet).toBeLessThan(1.25)
    expect(grown).toBeLessThan(700)
  })
})
