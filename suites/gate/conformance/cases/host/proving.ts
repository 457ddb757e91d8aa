import { sleep } from '#protocol/clock/clock'
import { notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT, startHost } from '../../hosts/run-host.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectBatchesInBlobs } from '../../scenes/expect-batches-in-blobs.ts'
import { withEnclaves } from '../../scenes/host-scenes.ts'
import { provableRange, requestFor } from '../../scenes/proofs.ts'
import { recordedProof, SAYS_NO } from '../../scenes/recorded-witness.ts'
import { stalledProof, TIMEOUT } from '../../scenes/stalled-proof.ts'
import { hashKey, readPairs } from '../../spec/enclave-messages.ts'
import type { ProofRequestJson } from '../../spec/proof-json.ts'
import { RESOURCE_UNAVAILABLE } from '../../spec/resource-unavailable.ts'
import { errorIn, resultOf } from '../../wire/json-rpc-client.ts'

/** What two clocks of one machine may differ by; milliseconds. */
const SLACK = 100
const NEEDS = [...HOST_NEEDS, 'driver'] as const
/** Seconds after which a host gives up proofs that are asked for at once, and milliseconds that they would take. */
const [SHORT, STALL] = ['2', 10_000]

/** As a number of its own: the seconds may have the same digits. */
function expectNamed(message: string, block: number): void {
  const isNamed = new RegExp(`\\b${block}\\b`).test(message)
  expectThat(isNamed, `block ${block}`, message, 'error.message')
}

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
      expectNamed(message, blockNumber)
    },
  },
  {
    id: 'host.proving.timeout-at-once.01',
    title: 'Of proofs that are lost at once each is told the block of its own request',
    area: 'host',
    rules: ['ERR-13', 'ERR-12'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Who is named the block of another asks for that again, and never for its own.',
    async run(t) {
      const range = await t.scene(provableRange)
      const requests = range.roots.map((root, index) => ({
        ...requestFor(range),
        claimed_l2_output_root: root,
        claimed_l2_block_number: range.agreedNumber + 1 + index,
      }))
      await withEnclaves(t, 1, async ([enclave]) => {
        const more = [['--proof-timeout', SHORT]] as const
        const host = await startHost(t, { enclaves: [enclave!.endpoint], more })
        enclave!.script.onProve = () => sleep(t.clock, STALL, t.signal)
        const ask = async (request: ProofRequestJson) => ({
          number: request.claimed_l2_block_number,
          error: errorIn(await host.rpc.call('prover_prove', [request])),
        })
        const all = await Promise.all(requests.map(ask))
        host.interrupt()
        const lost = all.filter(({ error }) => error.code !== RESOURCE_UNAVAILABLE)
        if (lost.length < 2) notApplicable('It refuses a second proof while it makes one.')
        for (const { number, error } of lost) {
          expectEqual(error.code, -32000, `error.code for block ${number}`)
          expectNamed(String(error.message), number)
        }
      })
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
