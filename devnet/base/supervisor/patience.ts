/** How many beats a value has stood, once that is `limit` and more; `undefined` stands for nothing. */
export function patience(limit: number): (value: unknown) => number | undefined {
  let last: unknown
  let count = 0
  return (value) => {
    count = value === undefined || value !== last ? 0 : count + 1
    last = value
    return count >= limit ? count : undefined
  }
}
