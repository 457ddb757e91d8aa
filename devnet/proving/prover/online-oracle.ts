import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { BlobSource } from '#devnet/l1/blobs/blob-source'
import { l1Receipts, l1Transactions } from '#devnet/l1/l1-lists'
import { headerReader } from '#devnet/l1/raw-header'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { decodeL1Header } from '#protocol/derivation/l1-header'
import { decodeHeader } from '#protocol/execution/header'
import { outputRootPreimage } from '#protocol/execution/output-root'
import {
  type Hint,
  LocalKey,
  PreimageMissing,
  type PreimageOracle,
} from '#protocol/oracle/preimage-oracle'
import type { ProofRequest } from '#protocol/proof/types'
import { orderedTrieNodes } from '#protocol/trie/ordered-trie'
import type { Hash } from '#protocol/types/bytes'
import type { StatePlace } from '#protocol/types/state'
import { l2State } from './l2-state.ts'
import { l2Transactions } from './l2-transactions.ts'
import { type PayloadWitness, payloadWitness } from './payload-witness.ts'
import { readAhead } from './read-ahead.ts'

export interface OnlineOracleOptions {
  request: ProofRequest
  chainId: bigint
  l1: RpcClient
  l2: RpcClient
  /** Needed where batches are in blobs. */
  blobs?: BlobSource | undefined
  /** Asks for the state under a block at once, by debug_executePayload (HOST-CFG-18, HOST-CFG-19). */
  executionWitness?: boolean
  /** The newest block that was executed: the state of its child is wanted next. */
  head(): Hash
  /** Ends every fetch; the program then ends with the signal's reason. */
  signal?: AbortSignal
}

/**
 * Answers a proof program from RPC endpoints: each hint says which call brings the value. Everything
 * fetched is kept under its own hash, so a node that lies cannot put a value under a wrong one.
 * @throws PreimageMissing; its methods do
 */
export function onlineOracle(options: OnlineOracleOptions): PreimageOracle {
  const { l1, l2, signal, request } = options
  const known = new Map<Hash, Uint8Array>()
  const locals = bootValues(options)
  /** By timestamp, which is all that a blob's hint says of its block. */
  const l1Numbers = new Map<bigint, bigint>()
  /** By parent. Headers are read backwards, transactions forwards. */
  const l1Children = new Map<Hash, Hash>()
  const l1Header = headerReader(l1)
  const l1List = readAhead(
    (hash) => l1Transactions(l1, hash, signal),
    (hash) => l1Children.get(hash),
  )
  const l2Header = headerReader(l2)

  const keep = (value: Uint8Array) => known.set(keccak256Hex(value), value)
  const wholeBlock = options.executionWitness
    ? oncePerBlock(payloadWitness(l2, l2Header))
    : undefined
  const state = l2State({
    l2,
    readHeader: l2Header,
    agreed: request.agreedL2HeadHash,
    head: options.head,
  })
  /** A piece of state: with its whole block where that is asked for, else as the node has it. */
  const keepState = async (hash: Hash, kind: 'node' | 'code', place?: StatePlace) => {
    for (const value of (await wholeBlock?.(options.head(), signal)) ?? []) keep(value)
    if (known.has(hash)) return
    for (const value of await state({ hash, kind, place }, signal)) keep(value)
  }
  const keepList = (values: readonly Uint8Array[]) => {
    for (const [hash, node] of orderedTrieNodes(values).nodes) known.set(hash, node)
  }

  const fetchers: Partial<Record<Hint['type'], (hash: Hash, hint: Hint) => Promise<void>>> = {
    'l1-block-header': async (hash) => {
      const bytes = await l1Header(hash, signal)
      keep(bytes)
      const { number, timestamp, parentHash } = decodeL1Header(hash, bytes)
      l1Children.set(parentHash, hash)
      l1Numbers.set(timestamp, number)
    },
    'l1-transactions': async (hash) => keepList(await l1List(hash)),
    'l1-receipts': async (hash) => keepList(await l1Receipts(l1, hash, signal)),
    'l2-block-header': async (hash) => void keep(await l2Header(hash, signal)),
    'l2-transactions': async (hash) => keepList(await l2Transactions(l2, hash, signal)),
    'l2-state-node': (hash, { place }) => keepState(hash, 'node', place),
    'l2-code': (hash, { place }) => keepState(hash, 'code', place),
    'starting-l2-output': async () => {
      const hash = request.agreedL2HeadHash
      const header = decodeHeader(await l2Header(hash, signal))
      keep(outputRootPreimage({ ...header, hash }))
    },
  }

  return {
    peek: (hash) => known.get(hash),
    async keccak(hash, hint) {
      signal?.throwIfAborted()
      if (!known.has(hash)) await fetchers[hint.type]?.(bytesToHex(hint.data), hint)
      const value = known.get(hash)
      if (!value) throw new PreimageMissing(`${hint.type} ${hash}`)
      return value
    },
    async local(identifier) {
      const value = locals.get(identifier)
      if (!value) throw new PreimageMissing(`boot value ${identifier}`)
      return value
    },
    async blob(versionedHash, timestamp) {
      signal?.throwIfAborted()
      const number = l1Numbers.get(timestamp)
      if (!options.blobs || number === undefined) throw new PreimageMissing(`blob ${versionedHash}`)
      return await options.blobs.sidecar(versionedHash, { number, timestamp }, signal)
    },
  }
}

/** Nothing for a block that was asked for before: what it brought is known, the rest is not in it. */
function oncePerBlock(witness: PayloadWitness): PayloadWitness {
  let last: Hash | undefined
  return async (parent, signal) => {
    if (parent === last) return []
    last = parent
    return await witness(parent, signal)
  }
}

/** The boot values of the program, from the request (PIPE-09..14). */
function bootValues({ request, chainId }: OnlineOracleOptions): Map<number, Uint8Array> {
  const values = new Map<number, Uint8Array>([
    [LocalKey.l1Head, hexToBytes(request.l1Head)],
    [LocalKey.agreedOutputRoot, hexToBytes(request.agreedL2OutputRoot)],
    [LocalKey.claimedOutputRoot, hexToBytes(request.claimedL2OutputRoot)],
    [LocalKey.claimedL2Block, u64(request.claimedL2BlockNumber)],
    [LocalKey.chainId, u64(chainId)],
    [LocalKey.proposer, hexToBytes(request.proposer)],
    [LocalKey.intermediateBlockInterval, u64(request.intermediateBlockInterval)],
  ])
  const { l1HeadNumber, scheduleL2BlockNumber } = request
  if (l1HeadNumber !== undefined) values.set(LocalKey.l1HeadNumber, u64(l1HeadNumber))
  if (scheduleL2BlockNumber !== undefined)
    values.set(LocalKey.scheduleL2Block, u64(scheduleL2BlockNumber))
  return values
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}
