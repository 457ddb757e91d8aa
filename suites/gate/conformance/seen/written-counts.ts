import { looksAround } from './looks-around.ts'
import type { SeenAnswers } from './seen-answers.ts'
import { type SeenBlock, seenSealed, toSeenBlock } from './seen-blocks.ts'
import type { Watched } from './watched.ts'

export type CountedSelector = 'pending' | 'latest' | 'safe'

/** What was written by the last look before a moment, and by the first after one. */
export function writtenCounts(
  { seen, watched }: { seen: SeenAnswers; watched: Pick<Watched, 'sent'> },
  selector: CountedSelector,
) {
  const wrote = new Map(watched.sent.map(({ hash, wrote }) => [hash as unknown, wrote]))
  const countIn = (hashes: readonly unknown[]) =>
    hashes.reduce<bigint>((most, hash) => {
      const count = wrote.get(hash) ?? 0n
      return count > most ? count : most
    }, 0n)
  const sealed = new Map<unknown, bigint>()
  // Behind a block that was not seen nobody knows, until one writes itself.
  let [total, next]: [bigint | undefined, bigint] = [undefined, -1n]
  const blocks = seenSealed(seen).toSorted((a, b) => Number(numberOf(a) - numberOf(b)))
  const first = blocks.find(({ hashes }) => hashes.some((hash) => wrote.get(hash) === 1n))
  for (const each of blocks) {
    const own = countIn(each.hashes)
    const number = numberOf(each)
    if (number > next) total = undefined
    // The slot is this run's own, and empty until then.
    if (first && number < numberOf(first)) total = 0n
    if (own > (total ?? 0n)) total = own
    if (total !== undefined) sealed.set(each.block.hash, total)
    next = number + 1n
  }
  const countOf = ({ block, hashes }: SeenBlock): bigint | undefined => {
    if (selector !== 'pending') return sealed.get(block.hash)
    const below = sealed.get(block.parentHash)
    const own = countIn(hashes)
    return own > 0n ? own : below
  }
  const looks = seen
    .inCalm('eth_getBlockByNumber')
    .filter(({ params, result }) => params[0] === selector && Object(result) === result)
    .map(toSeenBlock)
    .flatMap((look) => {
      const count = countOf(look)
      return count === undefined ? [] : [{ asked: look.asked, answered: look.answered, count }]
    })
  // Who saw more before saw what there was; who sees less afterwards sees all that there is.
  const around = looksAround(looks, {
    before: (far, near) => (near.count > far.count ? near : far),
    after: (far, near) => (near.count < far.count ? near : far),
  })
  return {
    before: (moment: number) => around.before(moment)?.count ?? 0n,
    after: (moment: number) => around.after(moment)?.count,
  }
}

const numberOf = ({ block }: SeenBlock) => BigInt(String(block.number))
