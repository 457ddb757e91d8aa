import { isHex } from 'viem'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RpcMethod, RpcParams } from '#devnet/base/json-rpc/json-rpc-server'
import { decodeL1Attributes } from '#protocol/derivation/l1-attributes'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { outputRoot } from '#protocol/execution/output-root'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { ChainView } from '../node/chain-view.ts'
import { rollupConfigJson } from './rollup-config-json.ts'

/** A block of L1 in answers; numbers are JSON numbers. */
export interface L1Ref {
  hash: Hash
  number: number
  parentHash: Hash
  timestamp: number
}

/** A block of L2 in answers. `l1origin` is all lower case on the wire. */
export interface L2Ref extends L1Ref {
  l1origin: { hash: Hash; number: number }
  sequenceNumber: number
}

export interface RollupMethodsOptions {
  chain: ChainView
  config: RollupConfig
  l1: RpcClient
}

/**
 * The part of op-node's RPC that proposers and challengers read, in its own shapes.
 * Source: OP specs, "rollup node / rpc"; shapes as deployed op-nodes answer.
 */
export function rollupMethods(options: RollupMethodsOptions): Record<string, RpcMethod> {
  const { chain, config } = options
  return {
    optimism_outputAtBlock: async (params) => {
      const block = blockAt(chain, params)
      const { stateRoot, withdrawalsRoot } = block.header
      return {
        version: `0x${'00'.repeat(32)}`,
        outputRoot: outputRoot({ stateRoot, withdrawalsRoot, hash: block.hash }),
        blockRef: l2Ref(block, config),
        withdrawalStorageRoot: withdrawalsRoot,
        stateRoot,
        syncStatus: await syncStatus(options),
      }
    },
    optimism_syncStatus: () => syncStatus(options),
    optimism_rollupConfig: () => rollupConfigJson(config),
  }
}

async function syncStatus({ chain, config, l1 }: RollupMethodsOptions) {
  const [head, safe, finalized] = await Promise.all(
    ['latest', 'safe', 'finalized'].map((tag) => l1Ref(l1, tag)),
  )
  const safeL2 = l2Ref(chain.safe(), config)
  return {
    current_l1: head,
    current_l1_finalized: finalized,
    head_l1: head,
    safe_l1: safe,
    finalized_l1: finalized,
    unsafe_l2: l2Ref(chain.latest(), config),
    safe_l2: safeL2,
    finalized_l2: l2Ref(chain.finalized(), config),
    pending_safe_l2: safeL2,
  }
}

async function l1Ref(l1: RpcClient, tag: string): Promise<L1Ref> {
  const block = await l1.request('eth_getBlockByNumber', [tag, false]).catch(l1Failed)
  if (!block) throw new JsonRpcError(-32000, `L1 has no ${tag} block`)
  const { hash, number, parentHash, timestamp } = block as Record<string, Hash>
  return {
    hash: hash!,
    number: Number(number),
    parentHash: parentHash!,
    timestamp: Number(timestamp),
  }
}

/** An error that says which part it was. */
function l1Failed(error: Error): never {
  const words = error instanceof RpcRefused ? error.rpcMessage : error.message
  const message = /^L1 /.test(words) ? words : `L1 does not answer: ${words}`
  throw new JsonRpcError(-32603, message)
}

function l2Ref({ hash, header, transactions }: Block, { genesis }: RollupConfig): L2Ref {
  const [attributes] = transactions
  const { l1Origin, sequenceNumber } = attributes
    ? decodeL1Attributes(attributes.data)
    : { l1Origin: genesis.l1, sequenceNumber: 0n }
  return {
    hash,
    number: Number(header.number),
    parentHash: header.parentHash,
    timestamp: Number(header.timestamp),
    l1origin: { hash: l1Origin.hash, number: Number(l1Origin.number) },
    sequenceNumber: Number(sequenceNumber),
  }
}

/** op-node takes a hex quantity only. */
function blockAt(chain: ChainView, params: RpcParams): Block {
  const [number] = Array.isArray(params) ? params : []
  if (!isHex(number) || number.length < 3 || number.length > 18)
    throw new JsonRpcError(-32602, 'Invalid params', 'block number: a hex quantity is required')
  const block = chain.blockByNumber(BigInt(number))
  if (!block) throw new JsonRpcError(-32000, 'not found')
  return block
}
