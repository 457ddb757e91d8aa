import { isHex, numberToHex } from 'viem'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import type { HeaderReader } from '#devnet/l1/raw-header'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { decodeHeader } from '#protocol/execution/header'
import type { Header } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { rawBlock } from './raw-block.ts'

/** Preimages that the child of an L2 block needs, or none when they cannot be had in one call. */
export type PayloadWitness = (parent: Hash, signal?: AbortSignal) => Promise<Uint8Array[]>

/**
 * Brings the state under a whole block by one debug_executePayload instead of one call per trie node
 * (HOST-CFG-19). The payload is the node's own child of the block; a derivation that comes to
 * another payload asks for what is missing node by node.
 *
 * Source: reth's DebugExecutionWitnessApi; the witness has state, codes and headers, each by bytes.
 * @throws PayloadWitnessUnsupported
 */
export function payloadWitness(l2: RpcClient, readHeader: HeaderReader): PayloadWitness {
  return async (parent, signal) => {
    const { number } = decodeHeader(await readHeader(parent, signal))
    const child = await l2.request(
      'eth_getBlockByNumber',
      [numberToHex(number + 1n), false],
      signal,
    )
    const { hash } = Object(child) as { hash?: Hash }
    if (!hash) return []

    const { header, transactions } = await rawBlock(l2, hash, signal)
    const sealed = decodeHeader(header)
    if (sealed.parentHash !== parent) return []
    const attributes = attributesJson(sealed, transactions)
    try {
      const witness = await l2.request('debug_executePayload', [parent, attributes], signal)
      return witnessPreimages(witness)
    } catch (error) {
      if (!(error instanceof RpcRefused)) throw error
      if (error.methodUnknown) throw new PayloadWitnessUnsupported()
      return []
    }
  }
}

/** The attributes of a sealed block, as the Engine API spells them. minBaseFee is a plain number. */
function attributesJson(header: Header, transactions: readonly Uint8Array[]) {
  // OP spec, Holocene: version, then denominator ‖ elasticity; Jovian: minBaseFee u64 behind it.
  const extra = hexToBytes(header.extraData)
  const minBaseFee = extra.length === 17 ? extra.subarray(9) : undefined
  return {
    timestamp: numberToHex(header.timestamp),
    prevRandao: header.mixHash,
    suggestedFeeRecipient: header.miner,
    withdrawals: [],
    parentBeaconBlockRoot: header.parentBeaconBlockRoot,
    transactions: transactions.map(bytesToHex),
    noTxPool: true,
    gasLimit: numberToHex(header.gasLimit),
    eip1559Params: bytesToHex(extra.subarray(1, 9)),
    ...(minBaseFee && { minBaseFee: Number(bytesToHex(minBaseFee)) }),
  }
}

/** The values of an execution witness, as reth and geth give it. */
export function witnessPreimages(witness: unknown): Uint8Array[] {
  const { state, codes, headers } = Object(witness) as Record<string, unknown>
  return [state, codes, headers]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter((value) => isHex(value))
    .map(hexToBytes)
}

export class PayloadWitnessUnsupported extends RollbedError {
  constructor() {
    super('PAYLOAD_WITNESS_UNSUPPORTED', 'The L2 node does not have debug_executePayload.', {
      hint: 'Start the host without --experimental-witness-endpoint, or use a node that has it.',
    })
  }
}
