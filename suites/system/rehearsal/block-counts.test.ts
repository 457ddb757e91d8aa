import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AbiFunction, encodeFunctionData, getAbiItem, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSources } from '#devnet/dashboard/read-sources'
import { alice, CONFIG, createTestNode } from '#devnet/l2/node/rpc/testing/test-node'
import { describeBlockCounts } from '#devnet/rehearsal/block-counts/describe-block-counts'
import { followChain } from '#devnet/rehearsal/block-counts/follow-chain'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { Header } from '#protocol/types/block'
import { type CompiledVault, compileVaults, lineWith } from './compile-vaults.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-vaults-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a function is given, by the header of the newest block. */
const ARGUMENTS: Readonly<Record<string, (newest: Header) => bigint>> = {
  amount: () => 1n,
  price: () => 1n,
  expirationBlock: ({ number }) => number + 21n,
  deadline: ({ timestamp }) => timestamp + 600n,
}

/** Calls functions two blocks apart, and asks a view; then tells what counts blocks. */
async function countsOf(
  { abi, bytecode }: CompiledVault,
  functions: readonly string[],
  [view, ...args]: readonly [string, ...unknown[]],
  artifacts: string,
) {
  const { chain, sign, rpc } = await createTestNode()
  const [creation] = (await chain.mine(await sign({ data: bytecode, gas: 3_000_000n })))
    .transactions
  const { contractAddress: to } = (await rpc('eth_getTransactionReceipt', creation!.hash)) as {
    contractAddress: Hex
  }
  for (let count = 0; count < 3; count++) await chain.seal()
  for (const functionName of functions) {
    const { inputs } = getAbiItem({ abi, name: functionName }) as AbiFunction
    const given = inputs.map(({ name }) => ARGUMENTS[name!]!(chain.latest().header))
    const data = encodeFunctionData({ abi, functionName, args: given })
    await chain.mine(await sign({ to, data, value: functionName === 'stake' ? 1n : 0n }))
    await chain.seal()
  }
  const at = Number(chain.latest().header.timestamp) * 1000
  const call = { to, data: encodeFunctionData({ abi, functionName: view, args }) }
  const calls = [{ at, method: 'eth_call', params: [call, 'latest'] }]
  const { uses, missed } = await followChain(chain, CONFIG, calls)
  expect(missed).toBe(0)
  const codeOf = (address: Hex) => {
    const account = chain.account(chain.latest().header.stateRoot, address)
    return account ? bytesToHex(chain.code(account.codeHash)) : '0x'
  }
  return describeBlockCounts(uses, codeOf, await readSources(artifacts))
}

const WAYS = [
  ['kept', '1: kept', 7200],
  ['compared', 'block.number >= stakes', 7200],
  ['compared', '< cooldown', 300],
  ['rate', '3: a rate', undefined],
  ['period', '4: periods', 50],
  ['hash', '5: hashes', 3],
  ['compared', '6: a deadline', 20],
  ['second', '7: a second', undefined],
] as const

/** By its intermediate language the compiler names the line of the constant instead. */
const BY_CONSTANT: Readonly<Record<string, string>> = {
  '1: kept': 'constant LOCK',
  '4: periods': 'constant PERIOD',
}

describe.each([
  { enabled: false, viaIR: false, artifacts: 'artifacts' },
  { enabled: true, viaIR: false, artifacts: 'out' },
  { enabled: true, viaIR: true, artifacts: 'out' },
])('given the sample vaults by solc %j', ({ artifacts, ...optimizer }) => {
  let vaults: ReturnType<typeof compileVaults>
  beforeAll(() => {
    vaults = compileVaults(folder, optimizer)
  })

  test('when the one that counts blocks is used, then each of seven ways is found, with its line and count', async () => {
    const functions = ['stake', 'claim', 'spend', 'draw', 'buy', 'observe']
    const view = ['isUnlocked', alice] as const
    const counts = await countsOf(vaults.CountingVault, functions, view, join(folder, artifacts))
    const expected = WAYS.map(([kind, words, blocks]) => {
      const said = (optimizer.viaIR && BY_CONSTANT[words]) || words
      return [kind, lineWith('contracts/CountingVault.sol', said), blocks]
    })
    const found = counts.map(({ kind, line, blocks }) => [kind, line?.line, blocks])
    expect(found.toSorted()).toEqual(expected.toSorted())
    expect(counts.every(({ contract }) => contract === 'CountingVault')).toBe(true)
  })

  test('when the sound one is used, then not a word is said', async () => {
    const functions = ['stake', 'stake', 'claim', 'buy', 'observe']
    for (const view of [
      ['isUnlocked', alice],
      ['changesUntil', 6n],
    ] as const)
      expect(await countsOf(vaults.SoundVault, functions, view, join(folder, artifacts))).toEqual(
        [],
      )
  })
})

test('given no artifacts, then a place is an address and a byte of its code', async () => {
  const { CountingVault } = compileVaults(folder, { enabled: true, viaIR: false })
  const counts = await countsOf(CountingVault, ['draw'], ['rate'], import.meta.dirname)
  expect(counts).toMatchObject([{ kind: 'hash', blocks: 3, address: expect.stringMatching(/^0x/) }])
  expect(counts[0]).not.toHaveProperty('line')
})
