import { createPublicClient, webSocket } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpRpcClient, type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { type Devnet, startDevnet } from '#devnet/index'
import { buildWitness } from '#devnet/proving/prover/build-witness'
import { verifiedOracle } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import type { Hash } from '#protocol/types/bytes'
import { closeSocket } from '#suites/system/end-to-end/close-socket'
import { onEachBlockUntil } from '#suites/system/end-to-end/on-each-block-until'

const [AGREED, CLAIMED] = [1, 3]

let devnet: Devnet

beforeAll(async () => {
  const quick = { blockTime: 1, l1BlockTime: 1, batchInterval: 500 }
  devnet = await startDevnet({ ...quick, plainRpc: true, enclaves: 0 })
  const l2 = createPublicClient({ transport: webSocket(devnet.description.wsUrl) })
  await onEachBlockUntil(
    l2,
    async () => (await l2.getBlock({ blockTag: 'safe' })).number >= CLAIMED,
  )
  await closeSocket(l2)
})
afterAll(() => devnet?.stop())

it('given a node of ours in plain mode and without any debug method, when a range is proven, then by proofs', async () => {
  const { chainId, l1RpcUrl, plainRpcUrl, rollupRpcUrl, accounts } = devnet.description
  const [node, rollup] = [httpRpcClient(plainRpcUrl!), httpRpcClient(rollupRpcUrl)]
  const calls = new Set<string>()
  const l2: RpcClient = {
    async request(method, params, signal) {
      calls.add(method)
      if (!method.startsWith('debug_')) return await node.request(method, params, signal)
      throw new RpcRefused(method, { code: -32601, message: 'Method not found' })
    },
  }
  const outputAt = async (number: number) => {
    const answer = await rollup.request('optimism_outputAtBlock', [`0x${number.toString(16)}`])
    return answer as { outputRoot: Hash; blockRef: { hash: Hash } }
  }
  const [agreed, claimed] = [await outputAt(AGREED), await outputAt(CLAIMED)]
  const l1 = httpRpcClient(l1RpcUrl)
  const head = (await l1.request('eth_getBlockByNumber', ['latest', false])) as { hash: Hash }
  const chains = new Map([[BigInt(chainId), devnet.config]])
  const witness = await buildWitness(
    {
      l1Head: head.hash,
      l1HeadNumber: undefined,
      agreedL2HeadHash: agreed.blockRef.hash,
      agreedL2OutputRoot: agreed.outputRoot,
      claimedL2OutputRoot: claimed.outputRoot,
      claimedL2BlockNumber: BigInt(CLAIMED),
      proposer: accounts[0]!.address,
      intermediateBlockInterval: 1n,
      imageHash: `0x${'00'.repeat(32)}`,
    },
    { chainId: BigInt(chainId), chains, l1, l2 },
  )
  const { blocks } = await runProgram(verifiedOracle(witness), { chains })
  expect(blocks.map(({ number }) => Number(number))).toEqual([2, 3])
  expect(blocks.at(-1)!.outputRoot).toBe(claimed.outputRoot)
  expect([...calls]).toEqual(expect.arrayContaining(['eth_getProof', 'eth_getCode', 'debug_dbGet']))
})
