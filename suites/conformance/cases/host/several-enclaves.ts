import type { ScriptedEnclave } from '../../../../mocks/index.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT, type RunningHost, startHost } from '../../hosts/run-host.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { withEnclaves } from '../../scenes/host-worlds.ts'

const REGISTRY = `0x${'7e'.repeat(20)}`
const COUNT = 3
const METHODS = ['enclave_signerPublicKey', 'enclave_signerAttestation']

/** A host before three scripted enclaves, each with a key of its own. */
function withThree(
  t: CaseContext,
  use: (host: RunningHost, enclaves: ScriptedEnclave[]) => Promise<void>,
): Promise<void> {
  return withEnclaves(COUNT, async (enclaves) => {
    const endpoints = enclaves.map((enclave) => enclave.endpoint)
    const host = await startHost(t, { enclaves: endpoints, registry: REGISTRY })
    await use(host, enclaves)
    host.interrupt()
  })
}

export const cases = defineCases([
  {
    id: 'host.enclaves.keys-in-order.01',
    title: 'Three CIDs give three keys, in the order of the flags',
    area: 'host',
    rules: [
      'HOST-CFG-10',
      'HOST-START-03',
      'ROUTE-01',
      'ROUTE-02',
      'ROT-01',
      'HOST-RPC-03',
      'HOST-RPC-04',
    ],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Each enclave has a key of its own, so that a shared transport would show.',
    run: (t) =>
      withThree(t, async (host, enclaves) => {
        const keys = await host.rpc.result('enclave_signerPublicKey')
        expectEqual(
          keys,
          enclaves.map((enclave) => [...enclave.publicKey]),
          'keys',
        )
      }),
  },
  {
    id: 'host.enclaves.one-unreachable.01',
    title: 'An enclave that cannot be reached fails the whole enclave call',
    area: 'host',
    rules: ['HOST-RPC-09'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'A list with a gap would shift every enclave after it.',
    run: (t) =>
      withThree(t, async (host, enclaves) => {
        await enclaves[1]!.stop()
        for (const method of METHODS) expectError(await host.rpc.call(method), `reply to ${method}`)
      }),
  },
  {
    id: 'host.enclaves.one-fails.01',
    title: 'An enclave that answers with an error fails the whole enclave call',
    area: 'host',
    rules: ['HOST-RPC-10'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'All or nothing: half an answer would be registered.',
    run: (t) =>
      withThree(t, async (host, enclaves) => {
        enclaves[2]!.script.error = 'the security module is gone'
        for (const method of METHODS) expectError(await host.rpc.call(method), `reply to ${method}`)
      }),
  },
  {
    id: 'host.enclaves.refused-before-vsock.01',
    title: 'Wrong nonces and long user_data are refused before any enclave hears of them',
    area: 'host',
    rules: ['ERR-09', 'ERR-06', 'ERR-07', 'ERR-08', 'SAFE-06'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'The enclaves here take anything, so only the host can refuse.',
    run: (t) =>
      withThree(t, async (host, enclaves) => {
        const long = Array(513).fill(7)
        const connections = () => enclaves.map((enclave) => enclave.connections.length)
        const before = connections()
        const wrong = [
          [null, [[1]]],
          [null, [[1], [2], [3], [4]]],
          [long, null],
          [null, [[1], [2], long]],
        ]
        for (const params of wrong) {
          const reply = await host.rpc.call('enclave_signerAttestation', params)
          expectError(reply, 'reply to wrong params', -32602)
        }
        expectEqual(connections(), before, 'connections to the enclaves')
      }),
  },
])
