import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import type { L1Call } from '#devnet/l1/l1-call'
import { sendTransactions } from '#devnet/l1/send-transactions'
import { singularBatch } from '#devnet/l2/batcher/build-channel'
import { beginRollup } from '#devnet/rollup/genesis/begin-rollup'
import { nodePart } from '#devnet/rollup/parts/node-part'
import { l1Methods } from '#devnet/rollup/world/l1/l1-methods'
import { startSimulatedL1 } from '#devnet/rollup/world/l1/simulated-l1'
import { methodsClient } from '#devnet/rollup/world/network/memory-rpc'
import { untilIdle } from '#devnet/rollup/world/until-idle'
import {
  batchInbox,
  l1ChainId as DEVNET_L1,
  l2ChainId as DEVNET_L2,
} from '#fixtures/chain/constants'
import { type DevKey, roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { timestampMs } from '#protocol/derivation/base-time'
import { encodeChannel } from '#protocol/derivation/batch'
import { encodeBatcherData } from '#protocol/derivation/frame'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { SingularBatch } from '#protocol/derivation/singular-batch'
import { outputRoot } from '#protocol/execution/output-root'
import type { Chains } from '#protocol/proof/run-program'
import type { ProofRequest } from '#protocol/proof/types'
import { seededRng } from '#protocol/random/rng'
import type { Block } from '#protocol/types/block'
import type { Hex } from '#protocol/types/bytes'
import type { Schedule } from '#protocol/types/schedule'
import { isDeposit } from '#protocol/types/transaction'
import { nextBlockMs } from '#protocol/upgrades/block-times'
import { type L2NodeStub, l2NodeStub } from './l2-node-stub.ts'

const GENESIS_TIME = 1_700_000_000
const BLOCK_TIME = 2
const L1_BLOCK_TIME = 4

export interface TestChain {
  readonly config: RollupConfig
  readonly chains: Chains
  readonly l1: RpcClient
  readonly l2: L2NodeStub
  /** From genesis on; index is number. */
  readonly blocks: Block[]
  /** Portal, on L1. */
  readonly portal: Hex
  /** Sends to L1 from a user and mines one block 4 s after the last. */
  sendToL1(calls: readonly L1Call[]): Promise<void>
  /** Builds one L2 block of these transactions, on the newest L1 block that is not too young. */
  build(transactions?: readonly Hex[]): Promise<Block>
  /** A signed transfer, or another transaction, of a funded user; nonces are kept. */
  sign(transaction?: { to?: Hex | null; data?: Hex; value?: bigint; gas?: bigint }): Promise<Hex>
  /** Posts what was built since the last time as one channel, in one L1 block. */
  post(change?: (batch: SingularBatch) => SingularBatch): Promise<void>
  /** A request whose claim holds, from the newest L1 block. */
  request(from: number, to: number): Promise<ProofRequest>
  stop(): Promise<void>
}

/** Ids of an L1 and of the L2 on it. */
export interface ChainIds {
  l1ChainId: number
  l2ChainId: number
}

/** A small chain of the parts of a simulated world: its L1, and its node, which builds by hand. */
export async function testChain(
  { l1ChainId, l2ChainId }: ChainIds = { l1ChainId: DEVNET_L1, l2ChainId: DEVNET_L2 },
  upgrades?: Schedule,
): Promise<TestChain> {
  const resources = new ResourceStack()
  const clock = new VirtualClock(GENESIS_TIME * 1000, untilIdle)
  const chainOfL1 = { rng: seededRng('l1'), chainId: l1ChainId, genesisTime: GENESIS_TIME }
  const l1 = resources.add(await startSimulatedL1({ clock, ...chainOfL1, blockTime: 0 }))
  const rpc = methodsClient(await l1Methods(l1, clock), clock)
  const mine = () => l1.mine(Number(l1.latest().header.timestamp) + L1_BLOCK_TIME)
  const sender = { rpcUrl: rpc, chainId: l1ChainId, mine }
  const { contracts, genesis } = await beginRollup(sender, {
    ...{ fork: 'jovian', blockTime: BLOCK_TIME, l2ChainId, upgrades },
  })
  const config = { ...genesis.config, l1ChainId }
  const node = resources.add(
    await nodePart.start(
      { clock, looks: clock, links: { 'node-l1': rpc }, l1News: (look) => l1.on('sealed', look) },
      // A block is filled at once.
      { genesis: { ...genesis, config }, manual: true, preconfirmations: false },
    ),
  )
  const { chain } = node
  const blocks = [genesis.block]
  const nonces = new Map<DevKey, number>()
  const next = (key: DevKey) => {
    const nonce = nonces.get(key) ?? 0
    nonces.set(key, nonce + 1)
    return nonce
  }
  let posted = 0
  let l1UserNonce = 0
  let channels = 0
  const rootOf = ({ header, hash }: Block) => outputRoot({ ...header, hash })

  return {
    config,
    chains: new Map([[BigInt(l2ChainId), config]]),
    l1: rpc,
    l2: l2NodeStub(blocks, chain.store),
    blocks,
    portal: contracts.optimismPortal,
    async build(transactions = []) {
      for (const transaction of transactions) await chain.submit(hexToBytes(transaction))
      const parentMs = timestampMs(blocks.at(-1)!)
      await clock.advance(Number(nextBlockMs(config, parentMs) - parentMs))
      await node.flashblock()
      const built = await node.seal()
      if (built.transactions.filter((each) => !isDeposit(each)).length < transactions.length)
        throw new Error('The block did not take all of them.')
      blocks.push(built)
      return built
    },
    async sendToL1(calls) {
      const { privateKey } = userKeys[9]!
      await sendTransactions({ ...sender, privateKey }, l1UserNonce, calls)
      l1UserNonce += calls.length
    },
    async sign({ to = userKeys[1]!.address, data = '0x', value = 1n, gas = 100_000n } = {}) {
      const key = userKeys[0]!
      return await privateKeyToAccount(key.privateKey).signTransaction({
        chainId: l2ChainId,
        nonce: next(key),
        ...(to && { to }),
        data,
        value,
        gas,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 1n,
      })
    },
    async post(change = (batch) => batch) {
      const batches = blocks.slice(posted + 1).map((block) => {
        const { type, batch } = singularBatch(block, config)
        return { type, batch: change(batch) }
      })
      posted = blocks.length - 1
      channels += 1
      const data = encodeBatcherData([
        {
          channelId: `0x${channels.toString(16).padStart(32, '0')}`,
          number: 0,
          data: encodeChannel(batches, 'zlib'),
          isLast: true,
        },
      ])
      const { privateKey } = roleKeys.batcher
      await sendTransactions({ ...sender, privateKey }, next(roleKeys.batcher), [
        { name: 'batch', to: batchInbox, data: bytesToHex(data) },
      ])
    },
    async request(from, to) {
      const head = l1.latest()
      const agreed = blocks[from - 1]!
      return {
        l1Head: head.hash,
        l1HeadNumber: head.header.number,
        agreedL2HeadHash: agreed.hash,
        agreedL2OutputRoot: rootOf(agreed),
        claimedL2OutputRoot: rootOf(blocks[to]!),
        claimedL2BlockNumber: BigInt(to),
        proposer: roleKeys.proposer.address,
        intermediateBlockInterval: 2n,
        imageHash: `0x${'00'.repeat(32)}`,
      }
    },
    stop: () => resources.stop(),
  }
}
