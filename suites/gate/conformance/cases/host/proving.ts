import { defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT } from '../../hosts/run-host.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectBatchesInBlobs } from '../../scenes/expect-batches-in-blobs.ts'
import { recordedProof, SAYS_NO } from '../../scenes/recorded-witness.ts'
import { stalledProof, TIMEOUT } from '../../scenes/stalled-proof.ts'
import { hashKey, readPairs } from '../../spec/enclave-messages.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

/** What two clocks of one machine may differ by; milliseconds. */
const SLACK = 100
const NEEDS = [...HOST_NEEDS, 'driver'] as const

export const cases = defineCases([
  {
    id: 'host.proving.upstreams.01',
    title: 'The witness is collected from the L1 and L2 execution RPCs over HTTP',
    area: 'host',
    rules: ['PIPE-01', 'PIPE-03'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Counters in front of both see requests while a proof is made.',
    async run(t) {
      const { requests } = await t.scene(recordedProof)
      for (const [name, count] of Object.entries(requests)) {
        expectThat(count > 0, 'one or more', count, `requests to ${name}`)
      }
    },
  },
  {
    id: 'host.proving.blobs.01',
    title: 'Where batches are in blobs, these are collected from the L1 beacon API over HTTP',
    area: 'host',
    rules: ['PIPE-02'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale:
      'Where the batcher sends is read from L1; a counter in front of the beacon API sees who asks for a blob.',
    async run(t) {
      await expectBatchesInBlobs(t)
      const { asksForBlobs, reply } = await t.scene(recordedProof)
      expectThat(asksForBlobs, 'a request for blobs', 'none', 'requests to the L1 beacon API')
      resultOf(reply, 'prover_prove')
    },
  },
  {
    id: 'host.proving.one-frame.01',
    title: 'All pairs travel in one Prove frame, each value under its hash',
    area: 'host',
    rules: ['PIPE-04', 'PIPE-05', 'PIPE-06'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Decoded from what an enclave that only records was sent.',
    async run(t) {
      const { payloads } = await t.scene(recordedProof)
      expectEqual(payloads.length, 1, 'Prove frames')
      const pairs = readPairs(payloads[0]!)
      const hashed = pairs.filter(({ type }) => type === 'keccak256' || type === 'sha256')
      expectThat(hashed.length > 0, 'hash-keyed pairs', hashed.length, 'pairs')
      for (const { type, key, value } of hashed) {
        const right = hashKey(type as 'keccak256' | 'sha256', value)
        expectEqual(Buffer.from(key).toString('hex'), Buffer.from(right).toString('hex'), 'key')
      }
    },
  },
  {
    id: 'host.proving.enclave-message.01',
    title: "An enclave's error is -32000 with the enclave's own message",
    area: 'host',
    rules: ['ERR-14', 'ERR-15'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'A scripted enclave fails with words nobody else uses.',
    async run(t) {
      const { refused } = await t.scene(recordedProof)
      const { message } = expectError(refused, 'reply to prover_prove', -32000)
      expectEqual(message, SAYS_NO, 'error.message')
    },
  },
  {
    id: 'host.proving.timeout.01',
    title: 'A stalled enclave ends the request at the timeout, naming the block',
    area: 'host',
    rules: ['HOST-RPC-14', 'ERR-12', 'ERR-13'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Given as --proof-timeout, in seconds; the message tells callers what was lost.',
    async run(t) {
      const { reply, blockNumber } = await t.scene(stalledProof)
      const { message } = expectError(reply, 'reply to prover_prove', -32000)
      // As a number of its own: the seconds may have the same digits.
      const isNamed = new RegExp(`\\b${blockNumber}\\b`).test(message)
      expectThat(isNamed, `block ${blockNumber}`, message, 'error.message')
    },
  },
  {
    id: 'host.proving.timeout.02',
    title: 'A proof has the whole of its time, though another one was begun and refused before it',
    area: 'host',
    rules: ['HOST-RPC-14', 'ERR-12'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'A timer that goes on when its proof is over ends the next one too early.',
    async run(t) {
      const { waited } = await t.scene(stalledProof)
      const limit = 1_000 * Number(TIMEOUT)
      expectThat(waited > limit - SLACK, `${limit} ms or more`, waited, 'ms until the timeout')
    },
  },
])
