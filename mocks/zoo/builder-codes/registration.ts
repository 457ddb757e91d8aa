import type { HttpAnswer, HttpExchange, JsonObject } from '../mutant.ts'
import { parseJson } from '../parts/parse-json.ts'

/** What a request for a code gives as its wallet; undefined where it gives none. */
export const walletOf = ({ body }: HttpExchange): unknown => Object(parseJson(body)).walletAddress

/** Likewise, where it is text. */
export function walletTextOf(request: HttpExchange): string | undefined {
  const wallet = walletOf(request)
  return typeof wallet === 'string' ? wallet : undefined
}

/** Whether an answer is the record of a registration. */
export const isRecord = ({ status, body }: HttpAnswer) =>
  status < 300 && body.includes('builderCode')

/** Changes the record of a registration; what is none stays as it is. */
export const withRecord = (answer: HttpAnswer, change: (record: JsonObject) => JsonObject) =>
  isRecord(answer) ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) } : answer
