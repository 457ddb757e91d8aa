/** A line both texts have, or only the one that was expected, or only the actual one. */
export interface DiffLine {
  side: 'both' | 'expected' | 'actual'
  text: string
}

/** Texts longer than this are shown one after the other instead of matched line by line. */
const MAX_LINES = 400

/** The lines of two texts, aligned along their longest common subsequence. */
export function diffLines(expected: string, actual: string): DiffLine[] {
  const left = expected.split('\n')
  const right = actual.split('\n')
  if (left.length > MAX_LINES || right.length > MAX_LINES) {
    return [...left.map(only('expected')), ...right.map(only('actual'))]
  }
  const lengths = commonLengths(left, right)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length) {
    if (isSame(left[i]!, right[j]!)) {
      lines.push({ side: 'both', text: left[i]! })
      i += 1
      j += 1
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) {
      lines.push({ side: 'expected', text: left[i++]! })
    } else {
      lines.push({ side: 'actual', text: right[j++]! })
    }
  }
  return [...lines, ...left.slice(i).map(only('expected')), ...right.slice(j).map(only('actual'))]
}

/** The comma after a member belongs to its neighbour. */
function isSame(left: string, right: string): boolean {
  return left === right || left.replace(/,$/, '') === right.replace(/,$/, '')
}

/** A value as people read it: strings bare, everything else as indented JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, null, 2) ?? '(absent)'
}

const only = (side: DiffLine['side']) => (text: string) => ({ side, text })

/** lengths[i][j] is the length of the longest common subsequence of left from i and right from j. */
function commonLengths(left: readonly string[], right: readonly string[]): number[][] {
  const lengths = Array.from({ length: left.length + 1 }, () => Array(right.length + 1).fill(0))
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i]![j] = isSame(left[i]!, right[j]!)
        ? lengths[i + 1]![j + 1] + 1
        : Math.max(lengths[i + 1]![j], lengths[i]![j + 1])
    }
  }
  return lengths
}
