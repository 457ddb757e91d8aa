import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import { makeRunFolder } from '#devnet/base/process/run-folder'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { seededRng } from '#protocol/random/rng'
import { startL1 } from '../start-l1.ts'
import { L1Record } from './l1-record.ts'

const genesisTime = 1_700_000_000
const MEGABYTE = 1_000_000
const folder = makeRunFolder()
afterEach(() => rmSync(folder, { recursive: true }))

/** Characters that a client is given to send. */
function countingClient(client: RpcClient) {
  const sent = { characters: 0 }
  const request: RpcClient['request'] = (method, params, signal) => {
    sent.characters += JSON.stringify(params).length
    return client.request(method, params, signal)
  }
  return { sent, client: { ...client, request } }
}

/** L1 as it was left in the file, or a new one. */
async function start() {
  const clock = new VirtualClock(genesisTime * 1000)
  const kept = new KeptDatabase(join(folder, 'l1.sqlite'))
  const record = new L1Record(kept, () => clock)
  const sent = { characters: 0 }
  const rebuild = record.rebuild.bind(record)
  record.rebuild = (anvil) => {
    const counting = countingClient(anvil)
    return rebuild(counting.client).finally(() => Object.assign(sent, counting.sent))
  }
  const l1 = await startL1({ clock, genesisTime, blockTime: 0, record })
  const stop = async () => {
    await l1.stop()
    kept.close()
  }
  return { l1, rpc: httpRpcClient(l1.rpcUrl), sent, stop }
}

const accounts = Array.from(
  { length: 200 },
  (_, index) => `0x${(0x1000 + index).toString(16).padStart(40, '0')}`,
)

test('given an L1 with a large state, when it is started again, then it goes on from there, and its state did not go through the socket', async () => {
  const first = await start()
  const rng = seededRng('codes')
  const codes = accounts.map(() => bytesToHex(rng.bytes(20_000)))
  for (const [index, address] of accounts.entries()) {
    await first.rpc.request('anvil_setCode', [address, codes[index]])
  }
  await first.l1.mine()
  await first.l1.idle()
  const head = await first.rpc.request('eth_getBlockByNumber', ['latest', false])
  await first.stop()
  expect(codes.join('').length).toBeGreaterThan(8 * MEGABYTE)

  const second = await start()
  expect(await second.rpc.request('eth_getBlockByNumber', ['latest', false])).toEqual(head)
  const codeOf = (address: string) => second.rpc.request('eth_getCode', [address, 'latest'])
  const found = await Promise.all(accounts.map(codeOf))
  // Eight megabytes of difference would help nobody.
  expect(found.filter((code, index) => code === codes[index])).toHaveLength(accounts.length)
  expect(second.sent.characters).toBeLessThan(MEGABYTE)
  await second.stop()
})
