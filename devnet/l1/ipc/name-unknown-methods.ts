import { ANVIL_METHODS } from './anvil-methods.ts'

/** What anvil says over its socket of an unknown method and of wrong parameters alike. */
const EITHER = 'data did not match any variant of untagged enum EthRpcCall'

/**
 * anvil's answer to a message as it would be over HTTP, where -32601 says that there is no such method:
 * callers try another one then.
 */
export function nameUnknownMethods(message: string, answer: Buffer): Buffer {
  if (!answer.includes(EITHER)) return answer
  const asked = [JSON.parse(message)].flat() as { id: unknown; method: string }[]
  const methodOf = new Map(asked.map(({ id, method }) => [id, method]))
  const right = (each: { id: unknown; error?: { message: string } }) => {
    if (each.error?.message !== EITHER) return each
    const error = ANVIL_METHODS.has(methodOf.get(each.id) ?? '')
      ? { code: -32602, message: 'Invalid params' }
      : { code: -32601, message: 'Method not found' }
    return { ...each, error }
  }
  const said = JSON.parse(answer.toString())
  return Buffer.from(JSON.stringify(Array.isArray(said) ? said.map(right) : right(said)))
}
