import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT } from '../../hosts/run-host.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectInOrder } from '../../scenes/listed-enclaves.ts'
import {
  type AskedDocuments,
  type ThreeEnclaves,
  threeEnclaves,
} from '../../scenes/three-enclaves.ts'
import { type RpcReply, resultOf } from '../../wire/json-rpc-client.ts'

const METHOD = 'enclave_signerAttestation'
const BOUND = ['HOST-RPC-08', 'HOST-RPC-11', 'HOST-RPC-12', 'HOST-RPC-13']

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

function expectDocuments(all: readonly AskedDocuments[]): void {
  for (const [index, { reply, right }] of all.entries())
    expectEqual(resultOf(reply, METHOD), right, `documents of request ${index + 1}`)
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
    'host.enclaves.order-stays.01',
    'Keys and documents keep the order of the flags: again, at once, and after an enclave had failed',
    ['HOST-RPC-04', 'HOST-RPC-08', 'HOST-RPC-12'],
    'Callers pair keys, documents and nonces by their place.',
    ({ listed, publicKeys }) => {
      for (const each of listed) expectInOrder(each, publicKeys)
    },
  ),
  test(
    'host.enclaves.documents-in-order.01',
    'Each document is of the enclave in its place, with the user data of all and the nonce of its place',
    BOUND,
    'These enclaves attest what they are asked with, byte for byte.',
    ({ documents }) => expectDocuments(documents),
  ),
  test(
    'host.enclaves.documents-at-once.01',
    'So it is where twelve requests are under way at once',
    BOUND,
    'Whoever lists answers as they come, or keeps one request for all, mixes them.',
    ({ documentsAtOnce }) => expectDocuments(documentsAtOnce),
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
