import {
  type Account,
  type Address,
  type BlockNumber,
  type BlockTag,
  type Chain,
  type Client,
  type Hash,
  type Hex,
  numberToHex,
  type Transport,
} from 'viem'

/** Whom the ERC-8021 suffix of a transaction credits, and what the suffix costs. */
export interface TransactionAttribution {
  codes: readonly string[]
  /** Who registered each code; null where nobody has here. */
  wallets: readonly (Address | null)[]
  /** Of ERC-8021. */
  schema: number
  suffix: Hex
  /** Bytes of the suffix. */
  size: bigint
  /** What the suffix adds to the intrinsic gas. */
  gas: bigint
  /** What it adds to EIP-7623's floor. */
  floorGas: bigint
}

/** What a builder code was credited with. */
export interface CodeStats {
  code: string
  wallet: Address | null
  transactions: number
  suffixBytes: bigint
  gas: bigint
  floorGas: bigint
  calldataGas: bigint
  /** By the transactions themselves. */
  gasUsed: bigint
}

/** The busiest code first. */
export interface AttributionStats {
  fromBlock: bigint
  toBlock: bigint
  /** Whether what is only pre-confirmed counts, too. */
  pending: boolean
  transactions: number
  codes: readonly CodeStats[]
}

export type AttributionActions = {
  /** From pre-confirmation on; null without attribution, and for a transaction that is not known. */
  getAttribution(parameters: { hash: Hash }): Promise<TransactionAttribution | null>
  /** Over 2,000 blocks at most; default: the newest, with what is pre-confirmed. */
  getAttributionStats(range?: {
    fromBlock?: BlockNumber | BlockTag
    toBlock?: BlockNumber | BlockTag
  }): Promise<AttributionStats>
}

type Numbers<T> = { [K in keyof T]: T[K] extends bigint ? Hex : T[K] }
type CodeJson = Numbers<Omit<CodeStats, 'transactions'>> & { transactions: Hex }
type StatsJson = Numbers<Omit<AttributionStats, 'codes' | 'transactions'>> & {
  transactions: Hex
  codes: CodeJson[]
}

/**
 * Reads of builder codes for a viem client.
 *
 * @example
 * import { createPublicClient, http } from 'viem'
 * import { attributionActions, rollbedChain } from 'rollbed/viem'
 *
 * const client = createPublicClient({ chain: rollbedChain(devnet.description), transport: http() })
 *   .extend(attributionActions())
 * const { codes } = await client.getAttributionStats()
 */
export function attributionActions(): (
  client: Client<Transport, Chain | undefined, Account | undefined>,
) => AttributionActions {
  return (client) => {
    const request = (method: string, params: unknown[]) =>
      client.request<{ Method: string; Parameters: unknown[]; ReturnType: unknown }>({
        method,
        params,
      })
    return {
      async getAttribution({ hash }) {
        const found = await request('rollbed_getAttribution', [hash])
        if (found === null) return null
        const { codes, wallets, schema, suffix, size, gas, floorGas } =
          found as Numbers<TransactionAttribution>
        const numbers = { size: BigInt(size), gas: BigInt(gas), floorGas: BigInt(floorGas) }
        return { codes, wallets, schema, suffix, ...numbers }
      },
      async getAttributionStats({ fromBlock, toBlock } = {}) {
        const range = { fromBlock: selector(fromBlock), toBlock: selector(toBlock) }
        const stats = (await request('rollbed_attributionStats', [range])) as StatsJson
        return {
          fromBlock: BigInt(stats.fromBlock),
          toBlock: BigInt(stats.toBlock),
          pending: stats.pending,
          transactions: Number(stats.transactions),
          codes: stats.codes.map(codeStats),
        }
      },
    }
  }
}

const selector = (block: BlockNumber | BlockTag | undefined) =>
  typeof block === 'bigint' ? numberToHex(block) : block

function codeStats(json: CodeJson): CodeStats {
  const { code, wallet, transactions, suffixBytes, gas, floorGas, calldataGas, gasUsed } = json
  return {
    ...{ code, wallet, transactions: Number(transactions) },
    suffixBytes: BigInt(suffixBytes),
    gas: BigInt(gas),
    floorGas: BigInt(floorGas),
    calldataGas: BigInt(calldataGas),
    gasUsed: BigInt(gasUsed),
  }
}
