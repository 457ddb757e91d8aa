import { cannotJudge, notApplicable } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { getBlock } from '../reads/get-block.ts'
import { isSealed } from '../reads/is-sealed.ts'
import type { Hex } from '../wire/hex.ts'
import { untilListed } from './listing.ts'

/** A window in which the block was sealed too early tells nothing; two with something left out are no accident. */
const [MOST_WINDOWS, ENOUGH_WINDOWS] = [8, 2]

export interface WindowLimits {
  /** No window begins later while nothing was left out, in milliseconds. Default: each of eight. */
  within?: number
  /** What becomes of the case where each block was too short. Default: it is not judged. */
  setAside?: (reason: string) => never
}

/**
 * Sends at the start of a block, and looks while all of it is pre-confirmed and nothing of it sealed. Where the
 * block ended meanwhile, another one follows.
 *
 * @param look is given the pending block that lists all that was sent; undefined where it came too late
 * @returns 'left out' where pending twice did not list what the node had taken
 * @throws CaseSetAside where the blocks are too short
 */
export async function inOneWindow<T>(
  t: CaseContext,
  send: () => Promise<Hex[]>,
  look: (seen: { sent: Hex[]; block: JsonObject }) => Promise<T | undefined>,
  { within = Number.POSITIVE_INFINITY, setAside = cannotJudge }: WindowLimits = {},
): Promise<T | 'left out'> {
  const end = t.clock.now() + within
  let leftOut = 0
  for (let window = 0; window < MOST_WINDOWS && leftOut < ENOUGH_WINDOWS; window++) {
    if (leftOut === 0 && t.clock.now() > end) break
    await t.driver.blockStart()
    const sent = await send()
    const { block, listing } = await untilListed(t, sent)
    if (listing.wasLeftOut) leftOut += 1
    const found = block && (await look({ sent, block }))
    const isOpen =
      block &&
      (await getBlock(t.rpc, 'pending')).parentHash === block.parentHash &&
      !(await isSealed(t.rpc, sent[0]!))
    if (isOpen && found !== undefined) return found
  }
  if (leftOut >= ENOUGH_WINDOWS) return 'left out'
  return setAside('The block was sealed before all was seen in it, each time.')
}

/** What was seen, for who leaves it to RPC-PEND-06 that all is listed. @throws CaseSetAside where it was not */
export function ifListed<T>(seen: T | 'left out'): T {
  return seen === 'left out' ? notApplicable('pending does not list what was sent.') : seen
}
