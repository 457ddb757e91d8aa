import type { CaseContext } from '../conformance-case.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { poll } from '../poll.ts'
import { isSealed } from '../reads/is-sealed.ts'
import type { Hex } from '../wire/hex.ts'

/** A flashblock, its execution, one poll and some room for a loaded machine; milliseconds. */
export const VISIBLE_WITHIN = 500
/** Milliseconds until nobody looks for it any more. */
const LOOK_FOR = 1_500
/** With a look that took longer, nobody can tell when it was answered; milliseconds. */
const SLOW_LOOK = 400

/** How soon pending listed what the node had taken. */
export interface Listing {
  /** Milliseconds from the node taking it; undefined when no look saw it listed. */
  visibleAfter: number | undefined
  /** Milliseconds of the slowest look for it: no delay can be told apart from that. */
  slowestLook: number
  /** A quick look, later than it had to be listed, saw it neither listed nor sealed. */
  wasLeftOut: boolean
}

/** Whether it was listed in time; `not told` where the looks were too slow, or it was sealed before they saw it. */
export function timelinessOf(listing: Listing): 'soon' | 'late' | 'not told' {
  const { visibleAfter, slowestLook, wasLeftOut } = listing
  if (visibleAfter === undefined) return wasLeftOut ? 'late' : 'not told'
  // It came at some time during the last look.
  if (visibleAfter - slowestLook <= VISIBLE_WITHIN) return 'soon'
  return slowestLook > VISIBLE_WITHIN ? 'not told' : 'late'
}

/** Sends one more, and says how soon it was listed. */
export async function listingOf(context: CaseContext): Promise<Listing> {
  const { driver } = context
  const hash = await driver.send({ account: 3, to: driver.accounts[2]!, value: 1n })
  return (await untilListed(context, [hash])).listing
}

/** The pending block once it lists all of `hashes`, which the node has just taken; undefined when it did not in time. */
export async function untilListed(
  context: CaseContext,
  hashes: readonly Hex[],
): Promise<{ block: JsonObject | undefined; listing: Listing }> {
  const { clock, signal, rpc } = context
  const taken = clock.now()
  let slowestLook = 0
  let wasLeftOut = false
  const block = await poll({ clock, signal, every: 20, within: LOOK_FOR }, async () => {
    const asked = clock.now()
    const pending = (await rpc.call('eth_getBlockByNumber', ['pending', false])).body.result
    const took = clock.now() - asked
    slowestLook = Math.max(slowestLook, took)
    const { transactions = [] } = (pending ?? {}) as { transactions?: unknown }
    const isListed = (hash: Hex) => Array.isArray(transactions) && transactions.includes(hash)
    if (hashes.every(isListed)) return pending as JsonObject
    if (asked - taken >= VISIBLE_WITHIN && took < SLOW_LOOK && !wasLeftOut)
      wasLeftOut = !(await isSealed(rpc, hashes[0]!))
    return undefined
  })
  const visibleAfter = block && clock.now() - taken
  return { block, listing: { visibleAfter, slowestLook, wasLeftOut } }
}
