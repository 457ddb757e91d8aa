import { changeAt, type JsonPath } from '../change-at.ts'
import type { JsonObject, Mutant, RpcCall } from '../mutant.ts'
import { without } from '../rewrites.ts'

/** One answer in so many is wrong: who asks once or twice sees nothing of it. */
export const RARE = 7

/** Whether a response is one of those that are counted. */
export type Fits = (response: JsonObject, call: RpcCall) => boolean

/** Changes each seventh response that fits. */
export const eachSeventh =
  (fits: Fits, change: (response: JsonObject) => JsonObject): Mutant['apply'] =>
  () => {
    let met = 0
    return {
      response(response, asked) {
        if (!fits(response, asked)) return response
        met += 1
        return met % RARE === 0 ? change(response) : response
      },
    }
  }

/** Responses of a method that give something. */
export const succeeds =
  (method: string): Fits =>
  (response, asked) =>
    asked.method === method && (response.result ?? null) !== null

/** Responses of a method that refuse. */
export const fails =
  (method: string): Fits =>
  (response, asked) =>
    asked.method === method && 'error' in response

/** What was refused is answered after all. */
export const answered =
  (result: unknown) =>
  (response: JsonObject): JsonObject => ({ ...without(response, 'error'), result })

/** Changes what stands at a place of a result. */
export const inResult =
  (path: JsonPath, change: (value: unknown) => unknown) =>
  (response: JsonObject): JsonObject =>
    changeAt(response, ['result', ...path], change) as JsonObject
