import { describe, expect, test } from 'vitest'
import type { Exchange } from '#reports/model'
import { SeenAnswers } from './seen-answers.ts'

const NODE = 'http://node'

const exchange = (request: unknown, response: unknown, url = NODE): Exchange => ({
  transport: 'http',
  at: 5,
  duration: 2,
  url,
  request: JSON.stringify(request),
  response: JSON.stringify(response),
})
const call = (id: number, params: unknown[] = []) => ({ id, method: 'eth_getLogs', params })

describe('given exchanges of a run, what was seen', () => {
  test('when one is of the node, then it holds the result, with when it was asked and answered', () => {
    const seen = new SeenAnswers(NODE)
    seen.take(exchange(call(1, [{}]), { id: 1, result: [] }))
    expect(seen.to('eth_getLogs')).toMatchObject([
      { params: [{}], result: [], asked: 5, answered: 7 },
    ])
    expect(seen.to('eth_call')).toEqual([])
  })

  test('when one is a batch, then each answer finds its call by the id', () => {
    const seen = new SeenAnswers(NODE)
    const answers = [
      { id: 2, result: 'b' },
      { id: 1, result: 'a' },
    ]
    seen.take(exchange([call(1), call(2)], answers))
    expect(seen.to('eth_getLogs').map(({ result }) => result)).toEqual(['a', 'b'])
  })

  test('when one came over a WebSocket, then its answer is kept whole, and what nobody asked for', () => {
    const seen = new SeenAnswers(NODE)
    const asked = { jsonrpc: '2.0', ...call(1) }
    const overWs = { ...exchange(asked, { id: '1', result: '0x1' }), transport: 'ws' as const }
    const pushed = { jsonrpc: '2.0', method: 'eth_subscription', params: {} }
    seen.take(overWs)
    seen.take({ ...overWs, request: '(notification)', response: JSON.stringify(pushed) })
    expect(seen.envelopes).toMatchObject([{ id: 1, response: undefined }])
    expect(seen.notifications).toMatchObject([{ message: pushed }])
  })

  test('when a fraction as its id is refused with none, then that is no answer without its id', () => {
    const seen = new SeenAnswers(NODE)
    const refused = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }
    const asked = (id: number) => ({ jsonrpc: '2.0', ...call(id), params: [] })
    seen.take({ ...exchange(asked(1.5), refused), status: 200 })
    expect(seen.envelopes).toEqual([])
    seen.take({ ...exchange(asked(2), refused), status: 200 })
    expect(seen.envelopes).toMatchObject([{ id: 2, response: undefined }])
  })

  test('when none has the id of its call, then they are bounded, too, and it is known that some were left out', () => {
    const seen = new SeenAnswers(NODE, 2)
    const asked = { jsonrpc: '2.0', ...call(1) }
    const other = { ...exchange(asked, { jsonrpc: '2.0', id: 9, result: 0 }), status: 200 }
    seen.take(other)
    seen.take(other)
    expect([seen.envelopes.length, seen.isCut]).toEqual([2, false])
    seen.take(other)
    expect([seen.envelopes.length, seen.isCut]).toEqual([2, true])
  })

  test('when one is an error, then it is kept beside the results, and those before the chain was disturbed are known', () => {
    const seen = new SeenAnswers(NODE)
    const error = { code: -32000, message: 'no' }
    seen.take(exchange(call(1), { id: 1, error }))
    seen.calmUntil = 8
    expect(seen.errorsInCalm('eth_getLogs')).toMatchObject([{ error, answered: 7 }])
    seen.calmUntil = 7
    expect(seen.errorsInCalm('eth_getLogs')).toEqual([])
  })

  test('when one is of another target, an error or no JSON, then it is left out', () => {
    const seen = new SeenAnswers(NODE)
    seen.take(exchange(call(1), { id: 1, result: [] }, 'http://elsewhere'))
    seen.take(exchange(call(1), { id: 1, error: { code: -32000 } }))
    seen.take({ ...exchange(call(1), {}), response: 'busy' })
    seen.take({ ...exchange(call(1), {}), response: null })
    expect(seen.to('eth_getLogs')).toEqual([])
  })
})
