import { bigIntMin } from '@ethereumjs/util'
import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { parseList } from '#devnet/base/json-rpc/params/parse-record'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { nextBaseFee } from '#protocol/execution/next-base-fee'
import type { Header } from '#protocol/types/block'
import { DEPOSIT_TYPE } from '#protocol/types/transaction'
import { BLOB_BASE_FEE } from '../../calls/call-environment.ts'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { type BlockSelector, parseBlockSelector } from '../../selector/block-selector.ts'
import { requirePublishedBlock } from '../../selector/find-block.ts'
import { onOneChain, type Pause } from '../../selector/on-one-chain.ts'
import type { ReadableBlock } from '../../selector/readable-block.ts'

const MAX_BLOCKS = 1024n
const MAX_PERCENTILES = 100

/**
 * `eth_feeHistory [blockCount, newestBlock, rewardPercentiles?]`: base fees, with the one to come, and
 * how full blocks were; tips at percentiles of the gas used.
 *
 * @throws JsonRpcError -32602, -32001
 */
export const ethFeeHistory: NodeMethod = async (rpc, params, { signal }) => {
  const [blockCount, newestBlock, rewardPercentiles] = positional(params)
  const count = bigIntMin(parseCount(blockCount), MAX_BLOCKS)
  const percentiles = parsePercentiles(rewardPercentiles)
  const selector = parseBlockSelector(newestBlock, 'newestBlock')
  const read = (pause: Pause) => readFees(rpc, { count, selector, percentiles }, pause)
  const { newest, headers, reward } = await onOneChain(rpc, signal, read)
  const next = headers.length ? [nextBaseFee(newest, rpc.config.fork)] : []
  return {
    oldestBlock: toQuantity(headers[0]?.number ?? newest.number),
    baseFeePerGas: [...headers.map((header) => header.baseFeePerGas), ...next].map(toQuantity),
    gasUsedRatio: headers.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
    baseFeePerBlobGas: [...headers, ...next].map(() => toQuantity(BLOB_BASE_FEE)),
    blobGasUsedRatio: headers.map(() => 0),
    ...(percentiles && { reward }),
  }
}

/** Of the blocks up to the newest asked for, oldest first. */
async function readFees(
  rpc: NodeRpc,
  { count, selector, percentiles = [] }: Asked,
  pause: Pause,
): Promise<{ newest: Header; headers: Header[]; reward: string[][] }> {
  const newest = requirePublishedBlock(rpc, selector)
  const headers: Header[] = []
  const reward: string[][] = []
  for (let { number } = newest.header; headers.length < Number(count) && number >= 0n; number--) {
    const block = number === newest.header.number ? newest : rpc.chain.blockByNumber(number)
    if (!block) break
    headers.push(block.header)
    reward.push(rewards(block, percentiles))
    await pause()
  }
  return { newest: newest.header, headers: headers.reverse(), reward: reward.reverse() }
}

interface Asked {
  count: bigint
  selector: BlockSelector
  percentiles: number[] | undefined
}

/** As geth, also a JSON number. */
function parseCount(value: unknown): bigint {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  return isNumber ? BigInt(value) : parseQuantity(value, 'blockCount', 64)
}

function parsePercentiles(value: unknown): number[] | undefined {
  if (value === undefined || value === null) return undefined
  const percentiles = parseList(value, 'rewardPercentiles', MAX_PERCENTILES)
  let previous = 0
  return percentiles.map((percentile, index) => {
    if (typeof percentile !== 'number' || percentile < previous || percentile > 100) {
      throw invalidParams(`rewardPercentiles[${index}]: must be a rising number from 0 to 100`)
    }
    previous = percentile
    return percentile
  })
}

/** Tips of signed transactions, weighed by the gas they used. */
function rewards({ header, receipts }: ReadableBlock, percentiles: number[]): string[] {
  const tips = receipts
    .filter(({ type }) => type !== DEPOSIT_TYPE)
    .map((receipt) => ({
      tip: receipt.effectiveGasPrice - header.baseFeePerGas,
      gas: Number(receipt.gasUsed),
    }))
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
  const total = tips.reduce((sum, { gas }) => sum + gas, 0)
  return percentiles.map((percentile) => {
    let below = 0
    const hit = tips.find(({ gas }) => {
      below += gas
      return below >= (total * percentile) / 100
    })
    return toQuantity(hit?.tip ?? 0n)
  })
}
