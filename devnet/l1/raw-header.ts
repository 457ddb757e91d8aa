import { isHex } from 'viem'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { encodeRlp } from '#protocol/bytes/encode-rlp'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { withoutLeadingZeros } from '#protocol/bytes/without-leading-zeros'
import { keccak256Hex } from '#protocol/crypto/keccak'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash, Hex } from '#protocol/types/bytes'

/** Reads the RLP of a header by its hash. @throws BlockUnavailable */
export type HeaderReader = (hash: Hash, signal?: AbortSignal) => Promise<Uint8Array>

/**
 * Reads headers of L1 or L2: from debug_getRawHeader, or put together from eth_getBlockByHash where a
 * node does not have that method (anvil), which is asked for once only.
 * @throws BlockUnavailable; the reader does
 */
export function headerReader(rpc: RpcClient): HeaderReader {
  let hasRawHeaders = true

  async function direct(hash: Hash, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      const raw = await rpc.request('debug_getRawHeader', [hash], signal)
      return isHex(raw) ? hexToBytes(raw) : undefined
    } catch (error) {
      if (!(error instanceof RpcRefused)) throw error
      if (error.methodUnknown) hasRawHeaders = false
      return undefined
    }
  }

  return async (hash, signal) => {
    const header =
      (hasRawHeaders && (await direct(hash, signal))) || (await rebuilt(rpc, hash, signal))
    if (!header || keccak256Hex(header) !== hash) throw new BlockUnavailable('header', hash)
    return header
  }
}

/** The RLP of one header; headerReader is for many. @throws BlockUnavailable */
export function rawHeader(rpc: RpcClient, hash: Hash, signal?: AbortSignal): Promise<Uint8Array> {
  return headerReader(rpc)(hash, signal)
}

/** Header fields as JSON names them, in RLP order; `quantity` ones lose their leading zeros. */
const FIELDS: readonly { name: string; quantity?: true; optional?: true }[] = [
  { name: 'parentHash' },
  { name: 'sha3Uncles' },
  { name: 'miner' },
  { name: 'stateRoot' },
  { name: 'transactionsRoot' },
  { name: 'receiptsRoot' },
  { name: 'logsBloom' },
  { name: 'difficulty', quantity: true },
  { name: 'number', quantity: true },
  { name: 'gasLimit', quantity: true },
  { name: 'gasUsed', quantity: true },
  { name: 'timestamp', quantity: true },
  { name: 'extraData' },
  { name: 'mixHash' },
  { name: 'nonce' },
  { name: 'baseFeePerGas', quantity: true, optional: true }, // EIP-1559
  { name: 'withdrawalsRoot', optional: true }, // EIP-4895
  { name: 'blobGasUsed', quantity: true, optional: true }, // EIP-4844
  { name: 'excessBlobGas', quantity: true, optional: true },
  { name: 'parentBeaconBlockRoot', optional: true }, // EIP-4788
  { name: 'requestsHash', optional: true }, // EIP-7685
]

async function rebuilt(
  rpc: RpcClient,
  hash: Hash,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  const block = await rpc.request('eth_getBlockByHash', [hash, false], signal)
  if (typeof block !== 'object' || block === null) return undefined
  const values = block as Record<string, unknown>
  const present = FIELDS.filter(({ name, optional }) => !optional || values[name] != null)
  return encodeRlp(
    present.map(({ name, quantity }) => {
      const value = values[name]
      if (!isHex(value)) throw new BlockUnavailable('header', hash)
      return quantity ? withoutLeadingZeros(hexToBytes(evenLength(value))) : hexToBytes(value)
    }),
  )
}

function evenLength(quantity: Hex): Hex {
  return quantity.length % 2 ? `0x0${quantity.slice(2)}` : quantity
}

export class BlockUnavailable extends RollbedError {
  constructor(part: string, hash: Hash) {
    super('BLOCK_UNAVAILABLE', `The node has no ${part} of block ${hash}.`, {
      hint: 'It may have pruned or reorganised the block, or belong to another chain.',
    })
  }
}
