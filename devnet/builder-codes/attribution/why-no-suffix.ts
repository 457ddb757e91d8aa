/** The length of the codes, with the commas between them, is one byte of the suffix. */
const MAX_LENGTH = 255

/** Why a schema-0 suffix cannot hold these codes, in a sentence; undefined where it can. */
export function whyNoSuffix(codes: readonly string[]): string | undefined {
  const wrong = codes.find((code) => !/^[\x21-\x2b\x2d-\x7e]+$/.test(code))
  if (wrong !== undefined)
    return `A code is printable ASCII without space or comma, not '${wrong}'.`
  if (codes.length === 0) return 'There is no code to credit.'
  const { length } = codes.join(',')
  if (length <= MAX_LENGTH) return undefined
  return `A suffix holds ${MAX_LENGTH} bytes of codes and commas, not ${length}.`
}
