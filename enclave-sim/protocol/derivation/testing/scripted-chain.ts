import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import {
  concatHex,
  encodeAbiParameters,
  encodePacked,
  keccak256,
  numberToHex,
  pad,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Log } from '../../types/block.ts'
import type { Hash } from '../../types/bytes.ts'
import { type Batch, encodeChannel } from '../batch.ts'
import {
  createDerivation,
  type Derivation,
  type DerivationParameters,
  type DerivedPayload,
  type L2Parent,
} from '../derivation.ts'
import type { Frame } from '../frame.ts'
import { l1Source } from '../l1-source.ts'
import type { RollupConfig } from '../rollup-config.ts'
import { batcherAccount, batcherTransaction, type ScriptedL1, scriptedL1 } from './scripted-l1.ts'

export const GENESIS_TIME = 1_700_000_000
export const INBOX = `0xff${'00'.repeat(19)}` as const
const PORTAL = `0x${'d0'.repeat(20)}` as const
const SYSTEM_CONFIG = `0x${'5c'.repeat(20)}` as const
/** A signed transaction of L2. */
export const TX = await signedTransfer()

export function newChain(changes: Partial<RollupConfig> = {}): {
  l1: ScriptedL1
  config: RollupConfig
} {
  const l1 = scriptedL1(BigInt(GENESIS_TIME))
  const config: RollupConfig = {
    l1ChainId: 1337,
    l2ChainId: 84_538_453,
    fork: 'jovian',
    genesis: {
      l1: { hash: l1.at(0).hash, number: 0 },
      l2: { hash: blockHash(0), number: 0 },
      l2Time: GENESIS_TIME,
      systemConfig: {
        batcherAddress: batcherAccount.address.toLowerCase() as Hash,
        gasLimit: 30_000_000n,
        scalar: `0x01${'00'.repeat(31)}`,
        eip1559Denominator: 50,
        eip1559Elasticity: 6,
        operatorFeeScalar: 0,
        operatorFeeConstant: 0n,
        minBaseFee: 7n,
        daFootprintGasScalar: 0,
      },
    },
    blockTime: 2,
    maxSequencerDrift: 1800,
    sequencerWindowSize: 3600,
    channelTimeout: 50,
    batchInboxAddress: INBOX,
    depositContractAddress: PORTAL,
    l1SystemConfigAddress: SYSTEM_CONFIG,
    ...changes,
  }
  return { l1, config }
}

/** Nothing is executed here, so a block's hash is its number, in the bytes that spans check. */
export function blockHash(number: number): Hash {
  return pad(numberToHex(number, { size: 4 }), { dir: 'right' })
}

export function genesisParent({ genesis }: RollupConfig): L2Parent {
  return {
    number: 0n,
    hash: blockHash(0),
    timestamp: BigInt(GENESIS_TIME),
    l1Origin: { number: BigInt(genesis.l1.number), hash: genesis.l1.hash },
    sequenceNumber: 0n,
    systemConfig: genesis.systemConfig,
  }
}

export function start(
  l1: ScriptedL1,
  config: RollupConfig,
  options: Partial<Pick<DerivationParameters, 'l1' | 'parent' | 'l2Ancestor' | 'reorgDepth'>> = {},
): Promise<Derivation> {
  return createDerivation({
    config,
    l1: l1Source(l1.oracle),
    l1Head: l1.head().hash,
    parent: genesisParent(config),
    l2Ancestor: async (number) => ({ hash: blockHash(Number(number)), l1OriginNumber: 0n }),
    ...options,
  })
}

/** Derives to the end and takes every payload. */
export async function derive(
  l1: ScriptedL1,
  config: RollupConfig,
  from: L2Parent = genesisParent(config),
) {
  const derivation = await start(l1, config, { parent: from })
  const payloads: DerivedPayload[] = []
  const parents: L2Parent[] = [from]
  for (;;) {
    const payload = await derivation.next()
    if (!payload) return { payloads, parents }
    const number = Number(from.number) + payloads.push(payload)
    parents.push(acceptAs(derivation, number, payload))
  }
}

export function acceptAs(
  derivation: Derivation,
  number: number,
  payload: DerivedPayload,
): L2Parent {
  const { attributes, l1Origin, sequenceNumber } = payload
  const block = {
    number: BigInt(number),
    hash: blockHash(number),
    timestamp: attributes.timestamp,
  }
  derivation.accept(block)
  const { systemConfig } = payload as DerivedPayload & Pick<L2Parent, 'systemConfig'>
  return { ...block, l1Origin, sequenceNumber, systemConfig }
}

export function summary({ attributes, l1Origin, sequenceNumber }: DerivedPayload) {
  return {
    time: Number(attributes.timestamp) - GENESIS_TIME,
    origin: Number(l1Origin.number),
    sequence: Number(sequenceNumber),
    transactions: attributes.transactions.filter((raw) => raw[0] !== 0x7e).length,
  }
}

/** A span of blocks in epoch 0 from genesis on. */
export function span(l1: ScriptedL1, config: RollupConfig, blocks: Uint8Array[][]): Batch {
  return spanOver(
    l1,
    config,
    blocks.map(() => 0),
    blocks,
  )
}

/** A span from genesis on over blocks with these L1 origins. */
export function spanOver(
  l1: ScriptedL1,
  config: RollupConfig,
  origins: number[],
  transactions: Uint8Array[][] = [],
): Batch {
  const last = origins.at(-1)!
  return {
    type: 'span',
    batch: {
      relativeTimestamp: BigInt(config.blockTime),
      l1OriginNumber: BigInt(last),
      parentCheck: hexToBytes(blockHash(0)).subarray(0, 20),
      l1OriginCheck: hexToBytes(l1.at(last).hash).subarray(0, 20),
      blocks: origins.map((origin, i) => ({
        originChanged: origin !== (origins[i - 1] ?? 0),
        transactions: transactions[i] ?? [],
      })),
    },
  }
}

/** A span that goes on after block `parent`, which is in epoch 0; 1 for each block that opens one. */
export function spanAfter(l1: ScriptedL1, parent: number, originChanged: (0 | 1)[]): Batch {
  const last = originChanged.filter((bit) => bit === 1).length
  return {
    type: 'span',
    batch: {
      relativeTimestamp: BigInt(2 * (parent + 1)),
      l1OriginNumber: BigInt(last),
      parentCheck: hexToBytes(blockHash(parent)).subarray(0, 20),
      l1OriginCheck: hexToBytes(l1.at(last).hash).subarray(0, 20),
      blocks: originChanged.map((bit) => ({ originChanged: bit === 1, transactions: [] })),
    },
  }
}

export function singular(
  l1: ScriptedL1,
  block: { time: number; origin: number; parent: number; transactions?: Uint8Array[] },
): Batch {
  return {
    type: 'singular',
    batch: {
      parentHash: blockHash(block.parent),
      epochNumber: BigInt(block.origin),
      epochHash: l1.at(block.origin).hash,
      timestamp: BigInt(GENESIS_TIME + block.time),
      transactions: block.transactions ?? [],
    },
  }
}

export function channel(batches: Batch[]): Uint8Array {
  return encodeChannel(batches, 'brotli')
}

export function cut(data: Uint8Array, count: number, id: `0x${string}` = '0x01'): Frame[] {
  const size = Math.ceil(data.length / count)
  return Array.from({ length: count }, (_, number) => ({
    channelId: pad(id, { size: 16 }),
    number,
    data: data.subarray(number * size, (number + 1) * size),
    isLast: number === count - 1,
  }))
}

/** A batcher transaction with frames, with a channel of batches, or with any bytes. */
export function inbox(content: Batch[] | Frame[] | Uint8Array, account = batcherAccount) {
  const isBatches = Array.isArray(content) && content.some((item) => 'type' in item)
  const frames = isBatches ? cut(channel(content as Batch[]), 1) : (content as Frame[] | Uint8Array)
  return batcherTransaction(INBOX, frames, account)
}

export async function signedTransfer(): Promise<Uint8Array> {
  const signed = await privateKeyToAccount(`0x${'11'.repeat(32)}`).signTransaction({
    type: 'eip1559',
    chainId: 84_538_453,
    nonce: 3,
    to: `0x${'77'.repeat(20)}`,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
  })
  return hexToBytes(signed)
}

export function depositLog(): Log {
  const opaque = encodePacked(
    ['uint256', 'uint256', 'uint64', 'bool', 'bytes'],
    [5n, 4n, 100_000n, false, '0xc0ffee'],
  )
  return {
    address: PORTAL,
    topics: [
      keccak256(toHex('TransactionDeposited(address,address,uint256,bytes)')),
      pad(`0x${'aa'.repeat(20)}`),
      pad(`0x${'bb'.repeat(20)}`),
      pad('0x00'),
    ],
    data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [opaque])),
  }
}

export function configUpdate(type: number, words: bigint[]): Log {
  const content = concatHex(words.map((word) => numberToHex(word, { size: 32 })))
  return {
    address: SYSTEM_CONFIG,
    topics: [
      keccak256(toHex('ConfigUpdate(uint256,uint8,bytes)')),
      pad('0x00'),
      numberToHex(type, { size: 32 }),
    ],
    data: hexToBytes(encodeAbiParameters([{ type: 'bytes' }], [content])),
  }
}

export function noise(): Log {
  return { address: PORTAL, topics: [bytesToHex(new Uint8Array(32))], data: new Uint8Array(0) }
}
