import type { CaseContext } from '../conformance-case.ts'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { resultOf } from '../wire/json-rpc-client.ts'
import { type KnownQuestion, rpcQuestion } from './known-question.ts'

const PATH = '/healthz'

/** Health by GET and by JSON-RPC, and keys: a host that was healthy once is so while it works, too. */
export async function healthQuestions({ prover }: CaseContext): Promise<KnownQuestion[]> {
  let wasHealthy = false
  const byGet: KnownQuestion = {
    async ask() {
      const { http } = await prover.get(PATH)
      const exchange = {
        ...{ transport: 'http' as const, url: `${prover.url}${PATH}` },
        ...{ request: `GET ${PATH}`, response: http.text, status: http.status },
      }
      const judge = () => {
        const isHealthy = http.status === 200
        const expected = wasHealthy ? '200, as before' : '200, or 4xx or 5xx until it is healthy'
        const isRight = isHealthy || (!wasHealthy && http.status >= 400)
        expectThat(isRight, expected, http.status, 'status of GET /healthz')
        wasHealthy ||= isHealthy
      }
      return { judge, exchange }
    },
  }
  const byMethod = rpcQuestion(prover, ['healthz', []], (reply) => {
    if (wasHealthy) resultOf(reply, 'healthz')
  })
  let keys: unknown
  const ofKeys = rpcQuestion(prover, ['enclave_signerPublicKey', []], (reply) => {
    const result = resultOf(reply, 'enclave_signerPublicKey')
    keys ??= result
    expectEqual(result, keys, 'keys')
  })
  return [byGet, byMethod, ofKeys]
}
