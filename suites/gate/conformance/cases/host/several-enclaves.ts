import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT } from '../../hosts/run-host.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { type ThreeEnclaves, threeEnclaves } from '../../scenes/three-enclaves.ts'
import type { RpcReply } from '../../wire/json-rpc-client.ts'

const test = (
  id: string,
  title: string,
  rules: readonly string[],
  rationale: string,
  check: (seen: ThreeEnclaves) => void,
): ConformanceCase => ({
  id,
  title,
  area: 'host',
  rules,
  needs: HOST_NEEDS,
  timeout: HOST_TIMEOUT,
  rationale,
  run: async (t) => check(await t.scene(threeEnclaves)),
})

function expectErrors(replies: ReadonlyMap<string, RpcReply>): void {
  for (const [method, reply] of replies) expectError(reply, `reply to ${method}`)
}

export const cases = defineCases([
  test(
    'host.enclaves.keys-in-order.01',
    'Three CIDs give three keys, in the order of the flags',
    [
      'HOST-CFG-10',
      'HOST-START-03',
      'ROUTE-01',
      'ROUTE-02',
      'ROT-01',
      'HOST-RPC-03',
      'HOST-RPC-04',
    ],
    'Each enclave has a key of its own, so that a shared transport would show.',
    ({ keys, publicKeys }) =>
      expectEqual(
        keys.body.result,
        publicKeys.map((key) => [...key]),
        'keys',
      ),
  ),
  test(
    'host.enclaves.one-unreachable.01',
    'An enclave that cannot be reached fails the whole enclave call',
    ['HOST-RPC-09'],
    'A list with a gap would shift every enclave after it.',
    ({ oneUnreachable }) => expectErrors(oneUnreachable),
  ),
  test(
    'host.enclaves.one-fails.01',
    'An enclave that answers with an error fails the whole enclave call',
    ['HOST-RPC-10'],
    'All or nothing: half an answer would be registered.',
    ({ oneFails }) => expectErrors(oneFails),
  ),
  test(
    'host.enclaves.refused-before-vsock.01',
    'Wrong nonces and long user_data are refused before any enclave hears of them',
    ['ERR-09', 'ERR-06', 'ERR-07', 'ERR-08', 'SAFE-06'],
    'The enclaves here take anything, so only the host can refuse.',
    ({ toWrongParams, connectionsForWrong }) => {
      for (const reply of toWrongParams) expectError(reply, 'reply to wrong params', -32602)
      expectEqual(connectionsForWrong, 0, 'connections to the enclaves')
    },
  ),
])
