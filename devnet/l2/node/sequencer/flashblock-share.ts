/**
 * How much of a block's limit (gas or DA footprint) may be used up to and including a flashblock.
 * Equal parts, so that late transactions find room too; flashblock 0 has none, it holds the deposits.
 */
export function flashblockShare(limit: bigint, slot: number, flashblocksPerBlock: number): bigint {
  return (limit * BigInt(Math.min(slot, flashblocksPerBlock))) / BigInt(flashblocksPerBlock)
}
