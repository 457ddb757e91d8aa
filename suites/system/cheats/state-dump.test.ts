import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Command } from 'commander'
import { bytesToHex, type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { addStateCommand } from '#devnet/cli/state'
import { decodeStateDump } from '#devnet/l2/node/state/state-dump'
import { userKeys } from '#fixtures/chain/dev-keys'
import { startCheatNode } from './cheat-node.ts'

type CheatNode = Awaited<ReturnType<typeof startCheatNode>>

const resources = new ResourceStack()
const folder = mkdtempSync(join(tmpdir(), 'rollbed-test-'))
const RICH = '0x00000000000000000000000000000000000000a1'
const CONTRACT = '0x00000000000000000000000000000000000000c0'
const SLOT: Hex = `0x${'07'.repeat(32)}`
const VALUE: Hex = `0x${'2a'.repeat(32)}`

async function freshNode(): Promise<CheatNode> {
  const node = await startCheatNode()
  resources.add(node)
  return node
}

let first: CheatNode
beforeAll(async () => {
  first = await freshNode()
  const tools = first.test('anvil')
  await tools.setBalance({ address: RICH, value: parseEther('12') })
  await tools.setNonce({ address: RICH, nonce: 3 })
  await tools.setCode({ address: CONTRACT, bytecode: '0x60016002' })
  await tools.setStorageAt({ address: CONTRACT, index: SLOT, value: VALUE })
  await tools.mine({ blocks: 2 })
})
afterAll(async () => {
  await resources.stop()
  rmSync(folder, { recursive: true })
})

describe('a dumped state', () => {
  test('given one, when a fresh chain loads it, then all of it is read there, and blocks go on', async () => {
    const second = await freshNode()
    const [user] = userKeys
    expect(await second.client.getBalance({ address: RICH })).toBe(0n)

    const state = await first.test('anvil').dumpState()
    await second.test('anvil').loadState({ state })

    expect(await second.client.getBalance({ address: RICH })).toBe(parseEther('12'))
    expect(await second.client.getTransactionCount({ address: RICH, blockTag: 'pending' })).toBe(3)
    expect(await second.client.getCode({ address: CONTRACT })).toBe('0x60016002')
    expect(await second.client.getStorageAt({ address: CONTRACT, slot: SLOT })).toBe(VALUE)
    await second.test('anvil').setBalance({ address: user!.address, value: 1n })
    await second.test('anvil').mine({ blocks: 40 })
    expect(await second.client.getStorageAt({ address: CONTRACT, slot: SLOT })).toBe(VALUE)
    expect(second.node.chain.divergence()?.cause).toBe('state')
    // A second way to see that it is the same state: its proof holds against the root of a new block.
    const { stateRoot } = await second.client.getBlock()
    expect(
      (await second.client.getProof({ address: CONTRACT, storageKeys: [SLOT] })).storageProof[0]
        ?.value,
    ).toBe(BigInt(VALUE))
    expect(stateRoot).not.toBe(decodeStateDump(Buffer.from(state.slice(2), 'hex')).stateRoot)
  })

  test('given what is pre-confirmed, when a state is loaded, then it is sealed before and not lost', async () => {
    const second = await freshNode()
    const state = await first.test('anvil').dumpState()
    const [user] = userKeys
    const hash = await second.client.request({
      method: 'eth_sendTransaction' as never,
      params: [{ from: user!.address, to: RICH, value: '0x1' }] as never,
    })
    await second.node.flashblock()
    await second.test('anvil').loadState({ state })
    expect((await second.client.getTransactionReceipt({ hash })).blockNumber).toBe(1n)
    expect(await second.client.getBalance({ address: RICH })).toBe(parseEther('12'))
  })

  test('given files that are none, when they are loaded, then the error says so and nothing has changed', async () => {
    const second = await freshNode()
    const good = await first.test('anvil').dumpState()
    const json = JSON.parse(gunzipSync(Buffer.from(good.slice(2), 'hex')).toString())
    const packed = (value: unknown) => bytesToHex(gzipSync(JSON.stringify(value)))
    const before = second.node.chain.latest()
    const dumps: [Hex, string][] = [
      ['0x', 'not gzipped JSON'],
      ['0x1f8b08', 'not gzipped JSON'],
      [packed({ ...json, version: 2 }), 'version 2'],
      [packed({ ...json, format: 'anvil' }), 'format'],
      [packed({ ...json, values: json.values.slice(1) }), 'is missing'],
      [packed({ ...json, stateRoot: `0x${'ab'.repeat(32)}` }), 'is missing'],
      [packed({ ...json, values: [...json.values, '0xzz'] }), 'values'],
      [packed({ ...json, chainId: 5 }), 'chain 5'],
      [packed([]), 'expected object'],
    ]
    for (const [state, words] of dumps) {
      const error = await second
        .test('anvil')
        .loadState({ state })
        .catch((cause) => cause)
      expect(error.details).toContain(words)
    }
    expect(second.node.chain.stateRootOf?.(before)).toBe(before.header.stateRoot)
  })
})

test('given a file of `rollbed state export`, when it is imported elsewhere, then the state is there', async () => {
  const second = await freshNode()
  const file = join(folder, 'pod.state')
  const run = async (...args: string[]) => {
    const program = new Command().exitOverride()
    addStateCommand(program)
    await program.parseAsync(['state', ...args], { from: 'user' })
  }

  await run('export', file, '--rpc', first.url)
  await run('import', file, '--rpc', second.url, '--json')

  expect(decodeStateDump(readFileSync(file)).values.length).toBeGreaterThan(20)
  expect(await second.client.getBalance({ address: RICH })).toBe(parseEther('12'))
  writeFileSync(file, 'text')
  await expect(run('import', file, '--rpc', second.url)).rejects.toMatchObject({
    code: 'STATE_DUMP_INVALID',
  })
  await expect(run('import', join(folder, 'no'), '--rpc', second.url)).rejects.toThrow(
    'cannot be read',
  )
})
