import { BLOCKS_REMEMBERED } from '../blocks-remembered.ts'

/** At most so many blocks at once, so that what they hold is archived before anvil forgets it. */
const AT_ONCE = BLOCKS_REMEMBERED / 2

/**
 * A call that mines many blocks as several that mine some, with the same outcome; itself alone where
 * it mines few. Undefined for a call that mines none by number.
 */
export function splitMining(method: string, params: readonly unknown[]): unknown[][] | undefined {
  if (/^(anvil|hardhat)_mine$/.test(method)) {
    const [blocks = 1, ...interval] = params
    return parts(blocks, (some) => [`0x${some.toString(16)}`, ...interval], params)
  }
  if (method === 'evm_mine') {
    const { blocks = 1, timestamp } = Object(params[0]) as Record<string, unknown>
    const first = timestamp === undefined ? {} : { timestamp }
    return parts(blocks, (some, at) => [{ ...(at === 0 && first), blocks: some }], params)
  }
  return undefined
}

function parts(
  blocks: unknown,
  part: (some: number, at: number) => unknown[],
  whole: readonly unknown[],
): unknown[][] {
  const count = Number(blocks ?? 1)
  // What is no number is for anvil to refuse.
  if (!(count > AT_ONCE) || !Number.isSafeInteger(count)) return [[...whole]]
  const all: unknown[][] = []
  for (let at = 0; at < count; at += AT_ONCE) all.push(part(Math.min(AT_ONCE, count - at), at))
  return all
}
