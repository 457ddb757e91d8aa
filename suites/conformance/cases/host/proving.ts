import { sleep } from '../../../../enclave-sim/clock/clock.ts'
import { startRequestCounter } from '../../../../mocks/index.ts'
import { defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT, startHost, using } from '../../hosts/run-host.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { oneBlock, withEnclaves } from '../../scenes/host-worlds.ts'
import { recordProve } from '../../scenes/recorded-witness.ts'
import { hashKey, readPairs } from '../../spec/enclave-messages.ts'

const NEEDS = [...HOST_NEEDS, 'driver'] as const
/** Longer than the timeout that is set, in milliseconds. */
const STALL = 15_000

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
      const { clock } = t
      const { l1, rpc } = t.targets
      const request = await oneBlock(t)
      const counters = [l1!, rpc!].map((target) => startRequestCounter({ target, clock }))
      await using(counters, ([ofL1, ofL2]) =>
        withEnclaves(1, async ([enclave]) => {
          const enclaves = [enclave!.endpoint]
          const host = await startHost(t, { enclaves, l1: ofL1!.url, l2: ofL2!.url })
          await host.rpc.result('prover_prove', [request])
          host.interrupt()
          for (const [name, { requests }] of Object.entries({ L1: ofL1!, L2: ofL2! })) {
            expectThat(requests() > 0, 'one or more', requests(), `requests to ${name}`)
          }
        }),
      )
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
      const { payloads } = await recordProve(t)
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
      const request = await oneBlock(t)
      await withEnclaves(1, async ([enclave]) => {
        enclave!.script.proveError = 'rollbed says no'
        const host = await startHost(t, { enclaves: [enclave!.endpoint] })
        const reply = await host.rpc.call('prover_prove', [request])
        host.interrupt()
        const { message } = expectError(reply, 'reply to prover_prove', -32000)
        expectThat(message.includes('rollbed says no'), 'rollbed says no', message, 'error.message')
      })
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
      const request = await oneBlock(t)
      await withEnclaves(1, async ([enclave]) => {
        enclave!.script.onProve = () => sleep(t.clock, STALL, t.signal)
        const more = [['--proof-timeout', '5']] as const
        const host = await startHost(t, { enclaves: [enclave!.endpoint], more })
        const { message } = expectError(
          await host.rpc.call('prover_prove', [request]),
          'reply to prover_prove',
          -32000,
        )
        host.interrupt()
        const block = String(request.claimed_l2_block_number)
        expectThat(message.includes(block), `block ${block}`, message, 'error.message')
      })
    },
  },
])
