import { bytesToHex } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import { headerHash } from '#protocol/execution/header'
import type { Block, Header, Receipt } from '#protocol/types/block'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { HEADER_FIELDS, HEADER_QUANTITIES } from '#suites/gate/conformance/spec/header-fields'

/** A block as another engine gives it by JSON-RPC: every field of its header, in hex. */
export type EngineBlock = { [K in keyof Header]: Hex } & { hash: Hash; transactions: Hash[] }

/** A receipt as another engine gives it by JSON-RPC. */
export interface EngineReceipt {
  transactionHash: Hash
  status: Hex
  gasUsed: Hex
  cumulativeGasUsed: Hex
  effectiveGasPrice: Hex
  contractAddress: Address | null
  logsBloom: Hex
  logs: { address: Address; topics: Hash[]; data: Hex }[]
}

/** How our block differs from another engine's block of the same transactions; empty: in nothing. */
export function compareBlock(
  ours: Block,
  theirs: { engine: string; block: EngineBlock; receipts: EngineReceipt[] },
  raws: readonly Hex[],
): string[] {
  const accepted = ours.transactions.map(({ hash }) => hash)
  if (accepted.join() !== theirs.block.transactions.join()) {
    const odd = raws.filter((raw) => {
      const hash = keccak256(raw)
      return accepted.includes(hash) !== theirs.block.transactions.includes(hash)
    })
    return odd.map(
      (raw) => `only ${accepted.includes(keccak256(raw)) ? 'we' : theirs.engine} accept ${raw}`,
    )
  }
  const header = headerOf(theirs.block)
  if (headerHash(header) !== theirs.block.hash)
    return [`the hash of ${JSON.stringify(theirs.block)}`]
  if (header.transactionsRoot !== ours.header.transactionsRoot) return ['the transactions root']
  if (header.logsBloom !== ours.header.logsBloom) return ['the bloom']
  return ours.receipts.flatMap((receipt, index) => {
    const [mine, other] = [ourView(receipt), theirView(theirs.receipts[index]!)]
    if (mine === other) return []
    return [`transaction ${index}: ${mine}\ninstead of ${other}\n${accepted[index]}`]
  })
}

/** The block as a header: an independent check of our encoding and hash. */
function headerOf(block: EngineBlock): Header {
  const quantities = HEADER_FIELDS.filter((name) => HEADER_QUANTITIES.has(name))
  const values = Object.fromEntries(quantities.map((name) => [name, BigInt(block[name])]))
  return { ...block, ...values } as unknown as Header
}

function ourView(receipt: Receipt): string {
  return JSON.stringify([
    receipt.status,
    String(receipt.gasUsed),
    String(receipt.cumulativeGasUsed),
    receipt.contractAddress,
    receipt.logsBloom,
    receipt.logs.map(({ address, topics, data }) => [address, topics, bytesToHex(data)]),
  ])
}

function theirView(receipt: EngineReceipt): string {
  return JSON.stringify([
    Number(receipt.status),
    String(BigInt(receipt.gasUsed)),
    String(BigInt(receipt.cumulativeGasUsed)),
    receipt.contractAddress,
    receipt.logsBloom,
    receipt.logs.map(({ address, topics, data }) => [address, topics, data]),
  ])
}
