import type {
  Forward,
  HttpAnswer,
  HttpExchange,
  JsonObject,
  MutantHooks,
  RpcCall,
} from './mutant.ts'
import { parseJson } from './parts/parse-json.ts'

/** A WebSocket message that passes at once as it is. */
export function unmutated(message: JsonObject) {
  return { message, delay: 0 }
}

/** One JSON-RPC exchange over HTTP, with the hooks' changes; anything else passes unchanged. */
export async function mutateRpcBody(
  request: HttpExchange,
  forward: Forward,
  hooks: MutantHooks,
): Promise<HttpAnswer> {
  const call = parseCall(request.body)
  if (!call) return forward(request)
  const changed = hooks.call?.(call) ?? call
  if ('reply' in changed) return jsonAnswer(changed.reply as JsonObject)
  const body = changed === call ? request.body : JSON.stringify(changed)
  const answer = await forward({ ...request, body })
  const response = parseObject(answer.body)
  if (!response || !hooks.response) return answer
  const mutated = await hooks.response(response, call)
  return { ...answer, body: JSON.stringify(mutated) }
}

/** A response over HTTP. */
export function jsonAnswer(body: JsonObject): HttpAnswer {
  const headers = { 'content-type': 'application/json' }
  return { status: 200, headers, body: JSON.stringify(body) }
}

/** One call; undefined for a batch, and for what is none. */
export function parseCall(text: string): RpcCall | undefined {
  const value = parseObject(text)
  if (typeof value?.method !== 'string') return undefined
  if (Array.isArray(value.params)) return value as RpcCall
  const { method, params = [] } = value
  return /^(prover|enclave)_/.test(method)
    ? { ...value, method, params: inPlace(method, Object(params)) }
    : undefined
}

/** What a prover is asked by name is put in its place, so that one mistake is made either way. */
function inPlace(method: string, params: JsonObject): unknown[] {
  if (method !== 'enclave_signerAttestation') return Object.values(params)
  const { user_data, userData, nonces } = params
  return nonces === undefined && user_data === undefined && userData === undefined
    ? []
    : [user_data ?? userData ?? null, nonces ?? null]
}

/** An object of JSON; undefined for all else. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as JsonObject) : undefined
}
