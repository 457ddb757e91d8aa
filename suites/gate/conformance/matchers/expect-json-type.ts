import type { HttpReply } from '../wire/http-client.ts'
import { expectThat } from './expect-equal.ts'

/** With parameters such as a charset, and the kinds of JSON that have a name of their own. */
const JSON_TYPE = /^application\/([a-z0-9.+-]+\+)?json(-rpc|request)?\s*(;|$)/i

/**
 * A reply that says of itself that it is JSON.
 * @param what names the reply to the reader
 * @throws CaseFailure
 */
export function expectJsonType({ contentType }: HttpReply, what: string): void {
  const isJson = JSON_TYPE.test(contentType ?? '')
  expectThat(isJson, 'application/json', contentType ?? '(absent)', `content type of ${what}`)
}
