import { createPublicClient, encodeDeployData, type Hex, http, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type L1, startL1 } from '../../devnet/l1/start-l1.ts'
import { VirtualClock } from '../../enclave-sim/clock/virtual-clock.ts'
import { aggregateVerifierAbi } from '../../fixtures/contracts/AggregateVerifier.abi.ts'
import { loadContract } from '../../fixtures/contracts/load-contract.ts'
import { teeProverRegistryAbi } from '../../fixtures/contracts/TEEProverRegistry.abi.ts'

/** The first four bytes of the custom errors, as deployed contracts have them. */
const DISPUTE_GAME_FACTORY_NOT_SET = '0xb5f381ae'
const zeroHash: Hex = `0x${'00'.repeat(32)}`
let l1: L1

beforeAll(async () => {
  l1 = await startL1({ clock: new VirtualClock(), genesisTime: 1_700_000_000, blockTime: 0 })
})
afterAll(() => l1.stop())

async function revertOf(data: Hex): Promise<string> {
  const client = createPublicClient({ transport: http(l1.rpcUrl) })
  const refused = await client.request({ method: 'eth_call', params: [{ data }, 'latest'] }).then(
    () => ({ walk: () => ({ data: 'deployed' }) }),
    (error) => error,
  )
  return (refused.walk() as { data: string }).data
}

test('a registry without a factory is refused: DisputeGameFactoryNotSet', async () => {
  const data = encodeDeployData({
    abi: teeProverRegistryAbi,
    bytecode: loadContract('TEEProverRegistry').bytecode,
    args: [zeroAddress, zeroAddress],
  })
  expect(await revertOf(data)).toBe(DISPUTE_GAME_FACTORY_NOT_SET)
})

test.each([
  [0n, 5n],
  [10n, 0n],
  [10n, 3n],
])(
  'a game of %i blocks with roots every %i is refused: InvalidBlockInterval',
  async (all, each) => {
    const data = encodeDeployData({
      abi: aggregateVerifierAbi,
      bytecode: loadContract('AggregateVerifier').bytecode,
      args: [
        621,
        zeroAddress,
        zeroAddress,
        zeroAddress,
        zeroAddress,
        zeroHash,
        { rangeHash: zeroHash, aggregateHash: zeroHash },
        zeroHash,
        1n,
        all,
        each,
      ],
    })
    const word = (value: bigint) => value.toString(16).padStart(64, '0')
    expect((await revertOf(data)).slice(10)).toBe(word(all) + word(each))
  },
)
