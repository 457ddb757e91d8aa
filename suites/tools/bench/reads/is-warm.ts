/** A turn that is cheaper by no more than this share is as cheap. */
const SAME = 0.03
/** Turns of which none may have become cheaper: on a busy machine two or three can be dear by chance. */
const FLAT = 4

/**
 * Whether what is asked again and again costs no less any more.
 * @param costs of an answer, turn by turn
 * @example
 * isWarm([500, 100, 99, 101, 100, 102]) // true
 */
export function isWarm(costs: readonly number[]): boolean {
  const before = costs.slice(0, -FLAT)
  const last = costs.slice(-FLAT)
  return before.length > 0 && Math.min(...last) >= Math.min(...before) * (1 - SAME)
}
