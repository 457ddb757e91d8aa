import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetOptions } from '#devnet/base/options/devnet-options'
import { startDevnet } from '#devnet/start-devnet'
import { unpackVersion1 } from './unpack-version1.ts'

function folder(): string {
  const state = mkdtempSync(join(tmpdir(), 'rollbed-resumed-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true }))
  return state
}

const start = (options: DevnetOptions) =>
  startDevnet({ manual: true, logLevel: 'silent', ...options })

test('given a devnet with a second network in a folder, when it is started again, then both go on from their blocks', async () => {
  const state = folder()
  const heads: unknown[] = []
  for (const round of ['first', 'second']) {
    const devnet = await start({ state, enclaves: 0, testnet: true })
    const { rpcUrl, testnetRpcUrl } = devnet.description
    for (const url of [rpcUrl, testnetRpcUrl!]) {
      const rpc = httpRpcClient(url)
      if (round === 'first') await rpc.request('rollbed_seal', [])
      heads.push(await rpc.request('eth_getBlockByNumber', ['0x1', false]))
    }
    await devnet.stop()
  }
  const [one, two] = heads
  expect(one).not.toEqual(two)
  expect(heads.every((head) => head !== null)).toBe(true)
  expect(heads.slice(2)).toEqual([one, two])
  // Neither another's nor none takes its place.
  const other = folder()
  await (await start({ state: other, enclaves: 0, testnet: true })).stop()
  const second = join(state, 'testnet')
  rmSync(second, { recursive: true })
  const damaged = {
    code: 'STATE_DAMAGED',
    message: expect.stringContaining(join(second, 'rollbed-state.json')),
  }
  await expect(start({ state, enclaves: 0, testnet: true })).rejects.toMatchObject(damaged)
  rmSync(second, { recursive: true })
  renameSync(join(other, 'testnet'), second)
  await expect(start({ state, enclaves: 0, testnet: true })).rejects.toMatchObject(damaged)
})

test('given a folder whose L1 accepts proofs of another enclave image, when it is started, then with enclaves it is refused by name, and without them it goes on', async () => {
  const state = folder()
  const seen = unpackVersion1(state)
  // Of version 1, because what files of a later one say of the image is in each of them.
  const file = join(state, 'devnet.json')
  const imageHash = `0x${'ab'.repeat(32)}`
  const replaced = readFileSync(file, 'utf8').replace(
    /("imageHash": ")0x[0-9a-f]{64}/,
    `$1${imageHash}`,
  )
  expect(replaced).toContain(imageHash)
  writeFileSync(file, replaced)
  await expect(start({ state, enclaves: 1 })).rejects.toMatchObject({
    code: 'STATE_OF_OTHER_IMAGE',
    hint: expect.stringContaining('--enclaves none'),
  })
  const devnet = await start({ state, enclaves: 0 })
  expect(await httpRpcClient(devnet.description.rpcUrl).request('eth_blockNumber', [])).toBe(
    `0x${seen.l2.length - 1}`,
  )
  await devnet.stop()
})
