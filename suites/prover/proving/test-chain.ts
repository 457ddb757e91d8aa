import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { deployBridgeContracts } from '#devnet/l1/deploy-bridge-contracts'
import type { L1Call } from '#devnet/l1/l1-call'
import { l1Receipts } from '#devnet/l1/l1-lists'
import { rawHeader } from '#devnet/l1/raw-header'
import { sendTransactions } from '#devnet/l1/send-transactions'
import { startL1 } from '#devnet/l1/start-l1'
import { devnetSystemConfig } from '#devnet/rollup/genesis/devnet-system-config'
import { rollupGenesis } from '#devnet/rollup/genesis/rollup-genesis'
import {
  batchInbox,
  l1ChainId as DEVNET_L1,
  l2ChainId as DEVNET_L2,
} from '#fixtures/chain/constants'
import { type DevKey, roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { encodeChannel } from '#protocol/derivation/batch'
import { encodeBatcherData } from '#protocol/derivation/frame'
import { decodeL1Header, type L1Header } from '#protocol/derivation/l1-header'
import { readReceipt } from '#protocol/derivation/l1-source'
import { advanceEpoch } from '#protocol/derivation/open-epoch'
import { payloadAttributes } from '#protocol/derivation/payload-attributes'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { SingularBatch } from '#protocol/derivation/singular-batch'
import { createExecutor } from '#protocol/execution/create-executor'
import { outputRoot } from '#protocol/execution/output-root'
import type { Chains } from '#protocol/proof/run-program'
import type { ProofRequest } from '#protocol/proof/types'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Block } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'
import { type L2NodeStub, l2NodeStub } from './l2-node-stub.ts'

const GENESIS_TIME = 1_700_000_000
const BLOCK_TIME = 2

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

/** A small real chain: anvil with our contracts as L1, blocks of the executor as L2. */
export async function testChain(
  { l1ChainId, l2ChainId }: ChainIds = { l1ChainId: DEVNET_L1, l2ChainId: DEVNET_L2 },
): Promise<TestChain> {
  const clock = new VirtualClock(GENESIS_TIME * 1000)
  const node = await startL1({ clock, genesisTime: GENESIS_TIME, blockTime: 0, chainId: l1ChainId })
  const l1 = httpRpcClient(node.rpcUrl)
  const mined: L1Header[] = []
  const sender = { rpcUrl: node.rpcUrl, chainId: l1ChainId }

  async function mine(): Promise<void> {
    const last = mined.at(-1)
    const { hash } = await node.mine(last ? Number(last.timestamp) + 4 : GENESIS_TIME + 4)
    mined.push(decodeL1Header(hash, await rawHeader(l1, hash)))
  }

  const { contracts } = await deployBridgeContracts({
    ...sender,
    mine,
    systemConfig: devnetSystemConfig,
  })
  await mine()
  const start = mined.at(-1)!
  const {
    config: devnet,
    block,
    store,
  } = await rollupGenesis({
    l1Start: { ...start, timestamp: Number(start.timestamp) },
    contracts,
    fork: 'jovian',
    blockTime: BLOCK_TIME,
  })
  const config = { ...devnet, l1ChainId, l2ChainId }
  const executor = await createExecutor({ chainId: BigInt(l2ChainId), fork: config.fork })
  const blocks = [block]
  const nonces = new Map<DevKey, number>()
  const next = (key: DevKey) => {
    const nonce = nonces.get(key) ?? 0
    nonces.set(key, nonce + 1)
    return nonce
  }

  let origin = start
  let sequenceNumber = 0n
  let { systemConfig } = config.genesis
  let unposted: SingularBatch[] = []
  let l1UserNonce = 0
  let channels = 0

  const receipts = async (hash: Hash) => (await l1Receipts(l1, hash)).map(readReceipt)

  async function build(transactions: readonly Hex[] = []): Promise<Block> {
    const parent = blocks.at(-1)!
    const timestamp = parent.header.timestamp + BigInt(BLOCK_TIME)
    const following = mined.find(({ number }) => number === origin.number + 1n)
    const before = { l1Origin: origin, sequenceNumber, systemConfig }
    if (following && following.timestamp <= timestamp) origin = following
    const epoch = await advanceEpoch(config, { receipts }, origin, before)
    ;({ sequenceNumber, systemConfig } = epoch)
    const raw = transactions.map((transaction) => hexToBytes(transaction))
    const attributes = payloadAttributes({
      config,
      systemConfig,
      l1Origin: origin,
      sequenceNumber,
      number: parent.header.number + 1n,
      timestampMs: timestamp * 1000n,
      deposits: epoch.deposits,
      transactions: raw,
    })
    const open = await executor.openBlock({
      store,
      parent: parent.header,
      parentHash: parent.hash,
      attributes,
      blockHash: async (number) => blocks[Number(number)]?.hash,
    })
    for (const transaction of attributes.transactions) {
      await open.execute(decodeTransaction(transaction))
    }
    const built = await open.seal()
    blocks.push(built)
    unposted.push({
      parentHash: parent.hash,
      epochNumber: origin.number,
      epochHash: origin.hash,
      timestamp,
      transactions: raw,
    })
    return built
  }

  const rootOf = ({ header, hash }: Block) => outputRoot({ ...header, hash })

  return {
    config,
    chains: new Map([[BigInt(l2ChainId), config]]),
    l1,
    l2: l2NodeStub(blocks, store),
    blocks,
    portal: contracts.optimismPortal,
    build,
    async sendToL1(calls) {
      const { privateKey } = userKeys[9]!
      await sendTransactions({ ...sender, privateKey, mine }, l1UserNonce, calls)
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
      const batches = unposted.map((batch) => ({ type: 'singular' as const, batch: change(batch) }))
      unposted = []
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
      await sendTransactions({ ...sender, privateKey, mine }, next(roleKeys.batcher), [
        { name: 'batch', to: batchInbox, data: bytesToHex(data) },
      ])
    },
    async request(from, to) {
      const head = mined.at(-1)!
      const agreed = blocks[from - 1]!
      return {
        l1Head: head.hash,
        l1HeadNumber: head.number,
        agreedL2HeadHash: agreed.hash,
        agreedL2OutputRoot: rootOf(agreed),
        claimedL2OutputRoot: rootOf(blocks[to]!),
        claimedL2BlockNumber: BigInt(to),
        proposer: roleKeys.proposer.address,
        intermediateBlockInterval: 2n,
        imageHash: `0x${'00'.repeat(32)}`,
      }
    },
    stop: () => node.stop(),
  }
}
