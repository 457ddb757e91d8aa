import { getContractAddress } from 'viem'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { buildWitness } from '#devnet/proving/prover/build-witness'
import { userKeys } from '#fixtures/chain/dev-keys'
import { jsonRpcEndpoint } from '#suites/prover/proving/json-rpc-endpoint'
import { testChain } from '#suites/prover/proving/test-chain'
import { sign, tokenCreation, transferData, transfers } from './erc20.ts'
import { type BenchResult, median, time } from './measurement.ts'
import { startBenchEnclave } from './start-bench-enclave.ts'

/** `ROLLBED_BENCH_BLOCKS` makes it shorter, to see whether it runs. */
const BLOCKS = Number(process.env.ROLLBED_BENCH_BLOCKS ?? 300)
const TRANSFERS = 100
const BLOCKS_PER_CHANNEL = 10
const USERS = 10
const ROUNDS = 3

/** Full blocks as the node builds them, and the same ones executed again in an enclave. */
export async function benchFullBlocks(): Promise<BenchResult> {
  const resources = new ResourceStack()
  try {
    const chain = resources.add(await testChain())
    const token = getContractAddress({ from: userKeys[0]!.address, nonce: 0n })
    await chain.build([sign(0, 0, null, tokenCreation(), 3_000_000n)])
    const users = userKeys.slice(0, USERS)
    const funding = users.map(({ address }, nonce) =>
      sign(0, nonce + 1, token, transferData(address, 10n ** 24n)),
    )
    await chain.build(funding)
    const nonces = users.map((_, user) => (user === 0 ? USERS + 1 : 0))
    const first = chain.blocks.length
    let building = 0
    for (let block = 0; block < BLOCKS; block++) {
      const raws = transfers(token, nonces, TRANSFERS)
      building += await time(() => chain.build(raws))
      // Later L1 blocks let L2 go on; the channels lie in them.
      if (block % BLOCKS_PER_CHANNEL === BLOCKS_PER_CHANNEL - 1) await chain.post()
    }
    await chain.post()
    const last = chain.blocks.length - 1
    if (chain.blocks.at(-1)!.receipts.some(({ status }) => status === 0)) {
      throw new Error('A transfer failed.')
    }
    const { chains, config } = chain
    const { client } = await startBenchEnclave(resources, [config])
    const l1 = resources.add(
      await jsonRpcEndpoint(chain.l1, ['eth_getBlockByHash', 'eth_getBlockReceipts']),
    )
    const l2 = resources.add(
      await jsonRpcEndpoint(chain.l2, ['debug_getRawHeader', 'debug_getRawBlock', 'debug_dbGet']),
    )
    const request = await chain.request(first, last)
    const preimages = await buildWitness(request, {
      l1: httpRpcClient(l1.url),
      l2: httpRpcClient(l2.url),
      chainId: BigInt(config.l2ChainId),
      chains,
    })
    const { signal } = new AbortController()
    const again: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      again.push(await time(() => client.prove(preimages, signal)))
    }
    const bytes = preimages.reduce((sum, { value }) => sum + value.length, 0)
    return {
      title: `${BLOCKS} blocks of ${TRANSFERS} ERC-20 transfers, built and executed again in an enclave`,
      note: 'Built: from raw bytes, by a node whose pool takes them first. Again: derived from L1, each preimage hashed, executed, signed.',
      rows: [
        { what: 'built', values: { ms: building } },
        {
          what: 'again, in the enclave',
          values: { ms: median(again), '÷ built': median(again) / building, MB: bytes / 2 ** 20 },
        },
      ],
    }
  } finally {
    await resources.stop()
  }
}
