import { expectThat } from '../matchers/expect-equal.ts'
import { expectObject, expectString } from '../matchers/expect-shape.ts'
import type { HttpClient, HttpReply, HttpRequest } from '../wire/http-client.ts'

export const CODES_PATH = '/v1/agents/builder-codes'

/** POSTs a registration body as it is (BC-01, BC-04). */
export function postRegistration(
  api: HttpClient,
  body: unknown,
  headers: Record<string, string> = {},
  more: Pick<HttpRequest, 'pieces'> = {},
): Promise<HttpReply> {
  return api.send({
    path: CODES_PATH,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  })
}

/** Registers a wallet and gives its code. @throws CaseFailure when that does not succeed */
export async function registerCode(api: HttpClient, walletAddress: string): Promise<string> {
  return codeOf(await postRegistration(api, { walletAddress }))
}

/** The code in a successful reply. @throws CaseFailure */
export function codeOf(reply: HttpReply): string {
  const succeeded = reply.status >= 200 && reply.status < 300
  expectThat(succeeded, 'HTTP 2xx', `${reply.status} ${reply.text}`, 'HTTP reply')
  return expectString(expectObject(reply.json, 'body').builderCode, 'body.builderCode')
}

/** A refusal: no success status, and no code anywhere in the body. @throws CaseFailure */
export function expectNoCode(reply: HttpReply, at: string): void {
  // What the caller did wrong is no fault of the server (RFC 9110, 15.5).
  const refused = reply.status >= 400 && reply.status < 500 && !/bc_/.test(reply.text)
  expectThat(refused, 'HTTP 4xx and no code', `${reply.status} ${reply.text}`, at)
}
