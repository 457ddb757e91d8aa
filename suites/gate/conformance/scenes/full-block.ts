import { notApplicable } from '../case-failure.ts'
import type { Scene } from '../conformance-case.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { getBlock } from '../reads/get-block.ts'
import { GAS_CAP } from '../spec/gas-cap.ts'
import { feeParameters } from '../spec/next-base-fee.ts'

/** Code that takes all gas it is given, at once (EIP-141). */
const INVALID = '0xfe'

export interface FullBlock {
  /** The block with more gas than blocks aim at, and the two after it. */
  blocks: readonly [full: JsonObject, next: JsonObject, afterNext: JsonObject]
  /** The first pending block after it that was seen. */
  pending: JsonObject
}

/**
 * A block that makes the next base fee another one. On a quiet chain it stays what it is, and a base fee of a wrong
 * parent is the right one.
 */
export const fullBlock: Scene<FullBlock> = {
  name: 'full block',
  kind: 'observation',
  async build({ driver, rpc }) {
    if (driver.onlyReads || driver.lacksMoney) notApplicable('It needs accounts with money.')
    const { target } = feeParameters(await getBlock(rpc, 'latest')) ?? {}
    if (target === undefined) notApplicable('No header carries Holocene fee parameters.')
    const gas = target + target / 4n
    if (gas > GAS_CAP)
      notApplicable(`Blocks aim at ${target} gas, more than a transaction may take.`)
    await driver.blockStart()
    const hash = await driver.send({ account: 6, data: INVALID, gas })
    const { blockNumber } = await driver.sealed(hash)
    const pending = await getBlock(rpc, 'pending')
    for (let after = 0; after < 2; after++) await driver.blockStart()
    const [full, next, afterNext] = await Promise.all(
      [0n, 1n, 2n].map((after) => getBlock(rpc, blockNumber + after)),
    )
    return { blocks: [full!, next!, afterNext!], pending }
  },
}
