import { isHex } from 'viem'
import type { ProofRequestJson } from '../spec/proof-json.ts'

/**
 * The request in the params of `prover_prove`, its hex in small digits: hosts take either (OPEN-57), and what it
 * is held against has these.
 */
export function proofRequestIn([request]: readonly unknown[]): ProofRequestJson {
  const members = Object.entries(Object(request) as object)
  return Object.fromEntries(
    members.map(([name, value]) => [name, isHex(value) ? value.toLowerCase() : value]),
  ) as unknown as ProofRequestJson
}
