import { bigIntMin } from '@ethereumjs/util'
import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { parseList } from '#devnet/base/json-rpc/params/parse-record'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { nextBaseFee } from '#protocol/execution/next-base-fee'
import { DEPOSIT_TYPE } from '#protocol/types/transaction'
import { BLOB_BASE_FEE } from '../../calls/call-environment.ts'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseBlockSelector } from '../../selector/block-selector.ts'
import { requirePublishedBlock } from '../../selector/find-block.ts'
import type { ReadableBlock } from '../../selector/readable-block.ts'

const MAX_BLOCKS = 1024n
const MAX_PERCENTILES = 100

/**
 * `eth_feeHistory [blockCount, newestBlock, rewardPercentiles?]`: base fees, with the one to come, and
 * how full blocks were; tips at percentiles of the gas used.
 *
 * @throws JsonRpcError -32602, -32001
 */
export const ethFeeHistory: NodeMethod = (rpc, params) => {
  const [blockCount, newestBlock, rewardPercentiles] = positional(params)
  const count = bigIntMin(parseCount(blockCount), MAX_BLOCKS)
  const percentiles = parsePercentiles(rewardPercentiles)
  const newest = requirePublishedBlock(rpc, parseBlockSelector(newestBlock, 'newestBlock'))
  const blocks: ReadableBlock[] = []
  for (let number = newest.header.number; blocks.length < Number(count) && number >= 0n; number--) {
    const block = number === newest.header.number ? newest : rpc.chain.blockByNumber(number)
    if (!block) break
    blocks.unshift(block)
  }
  const headers = blocks.map(({ header }) => header)
  const next = blocks.length ? [nextBaseFee(newest.header, rpc.config.fork)] : []
  return {
    oldestBlock: toQuantity(headers[0]?.number ?? newest.header.number),
    baseFeePerGas: [...headers.map((header) => header.baseFeePerGas), ...next].map(toQuantity),
    gasUsedRatio: headers.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
    baseFeePerBlobGas: [...headers, ...next].map(() => toQuantity(BLOB_BASE_FEE)),
    blobGasUsedRatio: headers.map(() => 0),
    ...(percentiles && { reward: blocks.map((block) => rewards(block, percentiles)) }),
  }
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
