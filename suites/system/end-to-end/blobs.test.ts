import { randomBytes } from 'node:crypto'
import {
  createPublicClient,
  encodePacked,
  type Hex,
  http,
  keccak256,
  type PublicClient,
  recoverAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { createKzg, type Kzg } from '#devnet/l1/blobs/kzg'
import { type Batcher, startBatcher } from '#devnet/l2/batcher/start-batcher'
import type { ProofResultJson } from '#devnet/proving/prover/proof-json'
import { proveRange } from '#devnet/proving/prover/prove-range'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { batchInbox } from '#fixtures/chain/constants'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { systemClock } from '#protocol/clock/system-clock'
import { onEachBlockUntil } from './on-each-block-until.ts'

const CADENCE = { blockTime: 1, l1BlockTime: 1, batchInterval: 500 }
/** Noise, so that no compression makes it small: two of them are more than a blob. */
const NOISE_SIZE = 100_000

let devnet: Devnet
let l1: PublicClient
let l2: PublicClient
let nonce: number

function connect(): void {
  l1 = createPublicClient({ transport: http(devnet.description.l1RpcUrl) })
  l2 = createPublicClient({ transport: http(devnet.description.rpcUrl), pollingInterval: 250 })
  nonce = 0
}

function untilSafe(block: bigint): Promise<void> {
  return onEachBlockUntil(l2, async () => (await l2.getBlock({ blockTag: 'safe' })).number >= block)
}

/** Sends so much noise that its batch needs three blobs. @returns the block of the last of it */
async function sendNoise(): Promise<bigint> {
  const account = privateKeyToAccount(userKeys[0]!.privateKey)
  const hashes = await Promise.all(
    [0, 1, 2].map(async () => {
      const raw = await account.signTransaction({
        chainId: devnet.description.chainId,
        nonce: nonce++,
        to: account.address,
        data: `0x${randomBytes(NOISE_SIZE).toString('hex')}`,
        gas: 5_000_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 1n,
      })
      return await l2.sendRawTransaction({ serializedTransaction: raw })
    }),
  )
  const receipts = await Promise.all(
    hashes.map((hash) => l2.waitForTransactionReceipt({ hash, timeout: 120_000 })),
  )
  return BigInt(Math.max(...receipts.map(({ blockNumber }) => Number(blockNumber))))
}

/** The transactions to the inbox, in order, by L1 block; without blobs where the batch is in call data. */
async function inboxPosts(): Promise<{ height: bigint; blobs: number }[]> {
  const head = await l1.getBlockNumber()
  const posts: { height: bigint; blobs: number }[] = []
  for (let height = 1n; height <= head; height++) {
    const block = await l1.getBlock({ blockNumber: height, includeTransactions: true })
    for (const { to, blobVersionedHashes } of block.transactions) {
      if (to === batchInbox) posts.push({ height, blobs: blobVersionedHashes?.length ?? 0 })
    }
  }
  return posts
}

const inboxBlobs = async () => (await inboxPosts()).map(({ blobs }) => blobs)

describe('a devnet with its batches in blobs', () => {
  beforeAll(async () => {
    const options = { dataAvailability: 'blobs', enclaves: 0, logLevel: 'silent' } as const
    devnet = await startDevnet({ ...CADENCE, ...options, batchInterval: 3_000 })
    connect()
  })
  afterAll(() => devnet?.stop())

  test('when it goes on, then it reaches safe by several channels, all of them in blobs, and not one in each L1 block', async () => {
    await untilSafe(1n)
    await onEachBlockUntil(l2, async () => (await inboxPosts()).length >= 4)
    const posts = await inboxPosts()
    expect(Math.min(...posts.map(({ blobs }) => blobs))).toBeGreaterThan(0)
    // Every third block; the first of them may have come late.
    const span = Number(posts.at(-1)!.height - posts[0]!.height)
    expect(span / (posts.length - 1)).toBeGreaterThanOrEqual(2)
  })

  test('when an L1 reorg drops some, then they are posted again, and it goes on', async () => {
    await devnet.l1.idle()
    const { number: carrier, hash } = await l1.getBlock()
    // More than one: L1 goes on meanwhile.
    await httpRpcClient(devnet.description.l1RpcUrl).request('anvil_reorg', [5, []])
    expect((await l1.getBlock({ blockNumber: carrier })).hash).not.toBe(hash)
    await untilSafe((await l2.getBlockNumber()) + 2n)
    expect(Math.min(...(await inboxBlobs()))).toBeGreaterThan(0)
  })
})

describe('a chain with its batches in call data first, then in blobs, one channel in several', () => {
  let kzg: Kzg
  let batcher: Batcher | undefined
  let proof: ProofResultJson['Tee']
  let last: number

  beforeAll(async () => {
    devnet = await startDevnet(CADENCE)
    connect()
    await untilSafe(2n)
    await devnet.batcher.stop()
    kzg = createKzg()
    batcher = await startBatcher({
      chain: devnet.node.chain,
      l1RpcUrl: devnet.description.l1RpcUrl,
      privateKey: roleKeys.batcher.privateKey,
      config: devnet.config,
      clock: systemClock,
      interval: 500,
      kzg,
    })
    last = Number(await sendNoise())
    await untilSafe(BigInt(last))
  })
  afterAll(async () => {
    await batcher?.stop()
    await kzg?.stop()
    await devnet?.stop()
  })

  test('when all of it is proven, then every signature recovers to the enclave (PIPE-02, PIPE-19)', async () => {
    const counts = await inboxBlobs()
    expect(counts[0]).toBe(0)
    expect(counts.at(-1)).toBeGreaterThan(0)
    // A channel longer than a blob is in one transaction.
    expect(Math.max(...counts)).toBeGreaterThan(1)

    const proposer = userKeys[0]!.address
    const { signer, imageHash } = devnet.description.enclaves[0]!
    proof = (
      await proveRange({
        ...devnet.description,
        from: 1,
        to: last,
        interval: 1,
        proposer,
        clock: systemClock,
      })
    ).Tee
    expect(proof.proposals.map(({ l2_block_number }) => l2_block_number)).toEqual(
      Array.from({ length: last }, (_, i) => i + 1),
    )
    for (const proposal of proof.proposals) {
      const number = BigInt(proposal.l2_block_number)
      const journal = encodePacked(
        ['address', 'bytes32', 'bytes32', 'uint64', 'bytes32', 'uint64', 'bytes32', 'bytes32'],
        [
          proposer,
          proposal.l1_origin_hash,
          proposal.prev_output_root,
          number - 1n,
          proposal.output_root,
          number,
          proposal.config_hash,
          imageHash,
        ],
      )
      const { signature } = proposal
      const recovered = await recoverAddress({ hash: keccak256(journal), signature })
      expect(recovered.toLowerCase()).toBe(signer)
    }
  })

  test('then the roots are those that the rollup node tells', async () => {
    const rollup = httpRpcClient(devnet.description.rollupRpcUrl)
    const output = await rollup.request('optimism_outputAtBlock', [`0x${last.toString(16)}`])
    expect(proof.aggregate_proposal.output_root).toBe((output as { outputRoot: Hex }).outputRoot)
  })
})
