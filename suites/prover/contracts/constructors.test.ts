import {
  type Abi,
  type BaseError,
  createPublicClient,
  decodeErrorResult,
  encodeDeployData,
  type Hex,
  http,
  type RpcRequestError,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type L1, startL1 } from '#devnet/l1/start-l1'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { loadContract } from '#fixtures/contracts/load-contract'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { VirtualClock } from '#protocol/clock/virtual-clock'

let l1: L1

beforeAll(async () => {
  l1 = await startL1({ clock: new VirtualClock(), genesisTime: 1_700_000_000, blockTime: 0 })
})
afterAll(() => l1.stop())

/** The error that a contract is not created for. */
async function refusal(abi: Abi, data: Hex): Promise<string> {
  const client = createPublicClient({ transport: http(l1.rpcUrl) })
  const answer = await client.request({ method: 'eth_call', params: [{ data }, 'latest'] }).then(
    () => '0x' as Hex,
    (error: BaseError) => (error.walk() as RpcRequestError).data as Hex,
  )
  const { errorName, args } = decodeErrorResult({ abi, data: answer })
  return `${errorName}(${(args ?? []).join(', ')})`
}

test('given a registry without a factory, then it is refused', async () => {
  const data = encodeDeployData({
    abi: teeProverRegistryAbi,
    bytecode: loadContract('TEEProverRegistry').bytecode,
    args: [zeroAddress, zeroAddress],
  })
  expect(await refusal(teeProverRegistryAbi, data)).toBe('DisputeGameFactoryNotSet()')
})

test.each([
  [0n, 5n],
  [10n, 0n],
  [10n, 3n],
])('given a game of %i blocks with roots every %i, then it is refused', async (all, each) => {
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
  expect(await refusal(aggregateVerifierAbi, data)).toBe(`InvalidBlockInterval(${all}, ${each})`)
})
