import { decode, encode, type NestedUint8Array } from '@ethereumjs/rlp'
import { bytesToBigInt, bytesToHex } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import type { Header } from '#protocol/types/block'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { decodeL1Transaction, type L1Transaction } from './l1-transaction.ts'

/** An L1 block as the chain file has it. */
export interface L1Block {
  hash: Hash
  /** Fields that came after the block's fork are zero. */
  header: Header
  /** Bytes of the block in the file. */
  size: number
  /** RLP of the header. */
  encodedHeader: Uint8Array
  transactions: L1Transaction[]
  uncles: { number: bigint; miner: Address }[]
  /** EIP-4895: whether the header commits to withdrawals. */
  hasWithdrawals: boolean
  withdrawals: { raw: Uint8Array; address: Address; gwei: bigint }[]
}

/** Reads `chain.rlp`: blocks from number 1 on, one RLP item after the other. */
export function readChainFile(bytes: Uint8Array): L1Block[] {
  const blocks: L1Block[] = []
  let rest = bytes
  while (rest.length > 0) {
    const { data, remainder } = decode(rest, true)
    const size = rest.length - remainder.length
    blocks.push({ ...toBlock(data as NestedUint8Array), size })
    rest = remainder
  }
  return blocks
}

function toBlock([head, body, uncles, withdrawals]: NestedUint8Array): Omit<L1Block, 'size'> {
  const encodedHeader = encode(head)
  return {
    hash: keccak256(encodedHeader),
    header: toHeader(head as Uint8Array[]),
    encodedHeader,
    transactions: (body as NestedUint8Array).map((item) =>
      decodeL1Transaction(item instanceof Uint8Array ? item : encode(item)),
    ),
    uncles: (uncles as Uint8Array[][]).map(toHeader),
    hasWithdrawals: withdrawals !== undefined,
    withdrawals: ((withdrawals ?? []) as Uint8Array[][]).map((fields) => ({
      raw: encode(fields),
      address: bytesToHex(fields[2]!),
      gwei: quantity(fields[3]),
    })),
  }
}

function toHeader(fields: Uint8Array[]): Header {
  const hex = (index: number): Hex => bytesToHex(fields[index] ?? new Uint8Array(32))
  const number = (index: number) => quantity(fields[index])
  return {
    parentHash: hex(0),
    sha3Uncles: hex(1),
    miner: hex(2),
    stateRoot: hex(3),
    transactionsRoot: hex(4),
    receiptsRoot: hex(5),
    logsBloom: hex(6),
    difficulty: number(7),
    number: number(8),
    gasLimit: number(9),
    gasUsed: number(10),
    timestamp: number(11),
    extraData: hex(12),
    mixHash: hex(13),
    nonce: hex(14),
    baseFeePerGas: number(15),
    withdrawalsRoot: hex(16),
    blobGasUsed: number(17),
    excessBlobGas: number(18),
    parentBeaconBlockRoot: hex(19),
    requestsHash: hex(20),
  }
}

function quantity(bytes: Uint8Array | undefined): bigint {
  return bytes === undefined || bytes.length === 0 ? 0n : bytesToBigInt(bytes)
}
