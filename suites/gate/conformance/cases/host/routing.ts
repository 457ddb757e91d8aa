import { notApplicable } from '../../case-failure.ts'
import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT } from '../../hosts/run-host.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import {
  type RoutedProof,
  type RoutedProofs,
  routedProofs,
  signatureIn,
  signaturesIn,
} from '../../scenes/host-scenes.ts'
import { expectInOrder } from '../../scenes/listed-enclaves.ts'
import { PROPOSALS, recordedProof } from '../../scenes/recorded-witness.ts'
import { expectProof } from '../../spec/proof-json.ts'
import { errorIn, resultOf } from '../../wire/json-rpc-client.ts'

/** isValidSigner(address), by its selector. */
const IS_VALID_SIGNER = '0xd5f50582'
const NO_VALID_SIGNER = -32001
const NEEDS = [...HOST_NEEDS, 'driver'] as const

const test = (
  id: string,
  title: string,
  rules: readonly string[],
  rationale: string,
  check: (proofs: RoutedProofs) => void,
): ConformanceCase => ({
  id,
  title,
  area: 'host',
  rules,
  needs: NEEDS,
  timeout: HOST_TIMEOUT,
  rationale,
  run: async (t) => check(await t.scene(routedProofs)),
})

export const cases = defineCases([
  test(
    'host.routing.order.01',
    'When both signers are valid the first enclave proves, whatever the second says',
    ['ROUTE-03', 'ROUTE-08', 'ROUTE-02'],
    'The order of the flags is the order of preference, though the second proved a moment ago.',
    ({ bothValid, signatures }) => {
      expectEqual(bothValid.signature, signatures[0], 'signature of the proof')
      expectEqual(bothValid.frames, [1, 0], 'Prove frames')
    },
  ),
  test(
    'host.routing.slow-registry.01',
    'When both signers are valid the first enclave proves, though the registry takes two seconds',
    ['ROUTE-03', 'ROUTE-08'],
    'To go on to the next one is right where the registry says no, and not before it says anything.',
    ({ slowRegistry, signatures }) => {
      expectEqual(slowRegistry.signature, signatures[0], 'signature of the proof')
      expectEqual(slowRegistry.frames, [1, 0], 'Prove frames')
    },
  ),
  test(
    'host.routing.key-each-time.01',
    'The key of the first enclave is fetched for each request',
    ['ROUTE-04'],
    'An enclave that was restarted has another key.',
    ({ bothValid, secondValid }) => {
      for (const { keyRequests } of [bothValid, secondValid]) {
        expectThat(keyRequests[0]! > 0, 'one or more', keyRequests[0], 'key requests')
      }
    },
  ),
  test(
    'host.routing.at-once.01',
    'Two requests at once fetch a key and ask the registry for themselves',
    ['ROUTE-04', 'ROUTE-06'],
    'What one request was told a moment ago is not what holds for the next.',
    ({ atOnce }) => {
      if (atOnce.replies.some(({ body }) => 'error' in body))
        notApplicable('It refuses a second proof while it makes one.')
      const { keyRequests, registryCalls } = atOnce
      expectThat(keyRequests >= 2, 'two or more', keyRequests, 'key requests of two proofs')
      expectThat(registryCalls >= 2, 'two or more', registryCalls, 'registry calls of two proofs')
    },
  ),
  test(
    'host.routing.asks-registry.01',
    'For each request isValidSigner is asked about the tried signers',
    ['ROUTE-06', 'ROUTE-07'],
    'With the Ethereum address of the fetched key, live, never from a cache.',
    ({ bothValid, secondValid, signers }) => {
      // It may ask more than once, and look at its health in between.
      const expectAsked = (
        { registryCalls }: RoutedProof,
        tried: readonly string[],
        at: string,
      ) => {
        for (const signer of tried) {
          const call = `${IS_VALID_SIGNER}${signer.slice(2).padStart(64, '0')}`
          expectThat(registryCalls.includes(call), `${call} among them`, registryCalls, at)
        }
      }
      expectAsked(bothValid, signers.slice(0, 1), 'calls when both are valid')
      expectAsked(secondValid, signers, 'calls when the second is valid')
    },
  ),
  test(
    'host.routing.first-valid.01',
    'When only the second signer is valid the second enclave proves, and the first does not',
    ['ROUTE-08', 'ROT-04'],
    'The first was valid a moment ago: the host needs no restart to see that it is no more.',
    ({ secondValid, signatures }) => {
      expectEqual(secondValid.signature, signatures[1], 'signature of the proof')
      expectEqual(secondValid.frames, [0, 1], 'Prove frames')
    },
  ),
  test(
    'host.routing.valid-again.01',
    'When the first signer is valid again its enclave proves again',
    ['ROUTE-03', 'ROUTE-06', 'ROUTE-08'],
    'Each request asks the registry: that a signer was not valid a moment ago says nothing.',
    ({ atOnce, signatures }) => {
      for (const reply of atOnce.replies) {
        if ('error' in reply.body)
          expectDifferent(errorIn(reply).code, NO_VALID_SIGNER, 'code of the error')
        else expectEqual(signatureIn(reply), signatures[0], 'signature of the proof')
      }
    },
  ),
  test(
    'host.routing.skips-are-logged.01',
    'An enclave that was skipped is named in the log',
    ['ROUTE-09'],
    'By its CID or the address of its signer; the request succeeds all the same.',
    ({ log, signers }) => {
      const lines = log.split('\n').filter((line) => /skip|not valid|invalid/i.test(line))
      const named = lines.some((line) => line.toLowerCase().includes(signers[0]!))
      expectThat(named, `a line that names ${signers[0]}`, lines.slice(0, 5), 'log')
    },
  ),
  test(
    'host.routing.key-fetch-fails.01',
    'An enclave that does not tell its key is skipped',
    ['ROUTE-05'],
    'The second is valid and proves.',
    ({ firstFails, signatures }) =>
      expectEqual(firstFails.signature, signatures[1], 'signature of the proof'),
  ),
  test(
    'host.routing.keys-in-order.01',
    'Before, while and after either enclave proves, keys and documents have the order of the flags',
    ['HOST-RPC-02', 'HOST-RPC-04', 'HOST-RPC-08'],
    'A list by who is idle, or proved last, pairs a key with the document of another.',
    ({ listed, publicKeys }) => {
      for (const each of listed) expectInOrder(each, publicKeys)
    },
  ),
  {
    id: 'host.routing.without-registry.01',
    title: 'Without a registry the enclave proves and its key is asked of nobody',
    area: 'host',
    rules: ['ROUTE-11', 'PIPE-21'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Its result comes back as it is, signature byte for byte, however long it is.',
    async run(t) {
      const { reply, signature } = await t.scene(recordedProof)
      expectEqual(signatureIn(reply), signature, 'signature of the proof')
      const signatures = signaturesIn(reply)
      expectEqual(signatures.length, PROPOSALS, 'number of proposals')
      expectEqual([...new Set(signatures)], [signature], 'signatures of the proposals')
    },
  },
  {
    id: 'host.routing.as-it-is.01',
    title: 'The numbers of a proof are those of the enclave, whatever the request says',
    area: 'host',
    rules: ['PIPE-21'],
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'A host that fills in what was asked for hides that something else was proved.',
    async run(t) {
      const { reply, numbers } = await t.scene(recordedProof)
      const { aggregate, proposals } = expectProof(resultOf(reply, 'prover_prove'), t)
      for (const [index, each] of [aggregate, ...proposals].entries()) {
        const at = index === 0 ? 'aggregate_proposal' : `proposals[${index - 1}]`
        expectEqual([each.l1_origin_number, each.l2_block_number], numbers, `numbers of ${at}`)
      }
    },
  },
])
