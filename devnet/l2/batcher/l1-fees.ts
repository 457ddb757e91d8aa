import { max } from '#protocol/types/bigints'

const PRIORITY_FEE = 1_000_000_000n

/** What a transaction offers at most; wei per unit of gas. */
export interface L1Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  maxFeePerBlobGas: bigint
}

/** What L1 asks for now; wei per unit of gas. */
export interface L1Prices {
  baseFee: bigint
  /** 0 for who carries no blobs. */
  blobBaseFee: bigint
}

/** Both prices grow by an eighth per block at most: room for a dozen blocks. */
export function firstBid({ baseFee, blobBaseFee }: L1Prices): L1Fees {
  return {
    maxFeePerGas: 4n * baseFee + PRIORITY_FEE,
    maxPriorityFeePerGas: PRIORITY_FEE,
    maxFeePerBlobGas: 4n * blobBaseFee,
  }
}

/**
 * The bid that takes the place of one which L1 has outgrown; undefined when it has not. Nodes want
 * each of the three fees doubled for a blob transaction (go-ethereum's blob pool, price bump 100 %).
 */
export function nextBid(bid: L1Fees, prices: L1Prices): L1Fees | undefined {
  if (bid.maxFeePerGas >= prices.baseFee && bid.maxFeePerBlobGas >= prices.blobBaseFee) return
  const [fresh, twice] = [firstBid(prices), doubled(bid)]
  return {
    maxFeePerGas: max(twice.maxFeePerGas, fresh.maxFeePerGas),
    maxPriorityFeePerGas: twice.maxPriorityFeePerGas,
    maxFeePerBlobGas: max(twice.maxFeePerBlobGas, fresh.maxFeePerBlobGas),
  }
}

/** Twice as much of each. */
export const doubled = (bid: L1Fees): L1Fees => ({
  maxFeePerGas: 2n * bid.maxFeePerGas,
  maxPriorityFeePerGas: 2n * bid.maxPriorityFeePerGas,
  maxFeePerBlobGas: 2n * bid.maxFeePerBlobGas,
})
