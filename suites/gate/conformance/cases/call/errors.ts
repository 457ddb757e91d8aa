import { encodeErrorResult, parseAbi } from 'viem'
import { notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectObject } from '../../matchers/expect-shape.ts'
import { anyBytes } from '../../probes/any-bytes.ts'
import { askBatch } from '../../reads/ask-batch.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'

const reason = (text: string) =>
  encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [text] })
const REASON = reason('no such luck')
const FOREIGN_REASON = reason('kein Glück 🍀')

/** Panic(0x11): an overflow. */
const PANIC = `0x4e487b71${'11'.padStart(64, '0')}`
/** Bytes: beside and beyond a word, and the sizes at which buffers end. */
const LENGTHS = [33, 257, 1_025, 4_097, 25_000]

export const cases = defineCases([
  {
    id: 'rpc.call.revert-with-reason.01',
    title:
      'A revert is error -32000 "execution reverted" with the revert bytes as data, and no failure of the server',
    area: 'call',
    rules: ['ERR-01', 'ERR-02', 'ERR-03'],
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale: 'Clients decode the reason from data; code and message are as the spec says.',
    async run(t) {
      const { revert } = await t.scene(probeContracts)
      const reply = await t.rpc.call('eth_call', [{ to: revert, data: REASON }, 'latest'])
      const error = expectError(reply, 'reply', -32000)
      expectReverted(error.message)
      expectEqual(error.data, REASON, 'error.data')
      // Clients and proxies read no error object in a 5xx.
      expectThat(reply.http.status < 500, 'below 500', reply.http.status, 'HTTP status')
    },
  },
  {
    id: 'rpc.call.revert-long.01',
    title: 'Revert bytes come back whole, however many they are',
    area: 'call',
    rules: ['ERR-03'],
    needs: ['rpc', 'driver'],
    rationale: 'A custom error may carry lists and text; what is cut does not decode.',
    async run(t) {
      const { revert } = await t.scene(probeContracts)
      for (const length of LENGTHS) {
        const data = anyBytes(length)
        const reply = await t.rpc.call('eth_call', [{ to: revert, data }, 'latest'])
        expectEqual(expectError(reply, 'reply').data, data, `error.data of ${length} bytes`)
      }
    },
  },
  {
    id: 'rpc.call.revert-words.01',
    title: 'A panic and a custom error begin with "execution reverted", too',
    area: 'call',
    rules: ['ERR-01', 'ERR-02', 'ERR-03'],
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale:
      'Clients tell a revert from other failures by code and message, whatever it carries.',
    async run(t) {
      const { revert } = await t.scene(probeContracts)
      for (const data of [PANIC, '0x12345678', anyBytes(100)]) {
        const reply = await t.rpc.call('eth_call', [{ to: revert, data }, 'latest'])
        const { message, data: carried } = expectError(reply, 'reply', -32000)
        expectReverted(message)
        expectEqual(carried, data, 'error.data')
      }
    },
  },
  {
    id: 'rpc.call.revert-in-batch.01',
    title: 'In a batch a revert is error -32000 "execution reverted" with the revert bytes, too',
    area: 'call',
    rules: ['ERR-01', 'ERR-02', 'ERR-03'],
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale: 'Batches are answered by other code than single calls.',
    async run(t) {
      if (t.driver.onlyReads) notApplicable('There is no contract that reverts.')
      const { revert: to } = await t.scene(probeContracts)
      const calls = [REASON, PANIC].map((data, id) => ({
        ...{ jsonrpc: '2.0', id, method: 'eth_call' },
        params: [{ to, data }, 'latest'],
      }))
      const answers = await askBatch(t.rpc, calls)
      for (const [id, carried] of [REASON, PANIC].entries()) {
        const answer = answers.find((each) => each?.id === id)
        const { code, message, data } = expectObject(Object(answer).error, `error of id ${id}`)
        expectEqual([code, data], [-32000, carried], 'error.code and error.data')
        expectReverted(String(message))
      }
    },
  },
  {
    id: 'rpc.call.revert-message.01',
    title: 'The message is "execution reverted" and nothing more',
    area: 'call',
    rules: ['ERR-02'],
    level: 'should',
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale: 'Decided for OPEN-27: the reason is in data, where a client need not parse text.',
    async run(t) {
      const { revert } = await t.scene(probeContracts)
      for (const data of [REASON, FOREIGN_REASON, PANIC]) {
        const reply = await t.rpc.call('eth_call', [{ to: revert, data }, 'latest'])
        expectEqual(expectError(reply, 'reply').message, 'execution reverted', 'error.message')
      }
    },
  },
  {
    id: 'rpc.call.revert-empty.01',
    title: 'A revert without a reason is the same error with no data',
    area: 'call',
    rules: ['ERR-04', 'ERR-01'],
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale: 'It must not pass as an empty result.',
    async run(t) {
      const { revert } = await t.scene(probeContracts)
      const reply = await t.rpc.call('eth_call', [{ to: revert }, 'latest'])
      const error = expectError(reply, 'reply', -32000)
      expectReverted(error.message)
      const empty = error.data === undefined || error.data === '0x'
      expectThat(empty, 'absent or 0x', error.data, 'error.data')
    },
  },
  {
    id: 'rpc.call.revert-custom.01',
    title: 'Custom error bytes come back untouched',
    area: 'call',
    rules: ['ERR-03'],
    needs: ['rpc', 'driver'],
    rationale: 'data holds the ABI encoding, whatever the error type.',
    async run(t) {
      const { revert } = await t.scene(probeContracts)
      const data = `0xdeadbeef${'07'.padStart(64, '0')}`
      const reply = await t.rpc.call('eth_call', [{ to: revert, data }, 'latest'])
      expectEqual(expectError(reply, 'reply').data, data, 'error.data')
    },
  },
])

/** ERR-02; whether more may follow is open (OPEN-27). @throws CaseFailure */
function expectReverted(message: string): void {
  const begins = message.startsWith('execution reverted')
  expectThat(begins, 'execution reverted, at its beginning', message, 'error.message')
}
