/**
 * What somebody typed, as viem encodes it.
 * @param type of Solidity; lists and structs are JSON, with numbers beyond 2^53 as texts
 * @throws SyntaxError for JSON that is none
 */
export function parseArgument(type: string, text: string): unknown {
  const trimmed = text.trim()
  if (type.endsWith(']') || type.startsWith('tuple')) return JSON.parse(trimmed)
  if (type === 'bool') return trimmed === 'true'
  return /^u?int/.test(type) ? BigInt(trimmed) : trimmed
}
