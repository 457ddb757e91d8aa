import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { enclaveIdentities, expectByteVectors } from '../../scenes/enclave-identities.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import type { SeenAnswer } from '../../seen/seen-answers.ts'
import {
  type CoseDocument,
  decodeCoseDocument,
  findBrokenLink,
  isSignedByLeaf,
} from '../../spec/cose-document.ts'

const METHOD = 'enclave_signerAttestation'
const HOUR = 3_600_000
/** Documents tell their time in milliseconds: after so many it is another one. */
const MADE_SINCE = 100
/** Bytes of user data and of each nonce, up to the limit (LIM-04, LIM-05). */
const LENGTHS = [1, 32, 63, 64, 65, 255, 256, 257, 511, 512]

const [USER_DATA, OTHER_USER_DATA] = [
  [1, 2, 3],
  [1, 2, 4],
]

interface Opened extends SeenAnswer {
  documents: readonly CoseDocument[]
  keys: readonly Uint8Array[]
}

const bytesOf = (length: number, salt: number) =>
  Array.from({ length }, (_, index) => (index * 7 + salt) % 256)

/** A case that opens every document of the run, whoever asked for it. */
const ofDocuments = (
  about: Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'rationale'>,
  judge: (opened: Opened, all: readonly Opened[]) => void,
): ConformanceCase => ({
  ...about,
  area: 'attestation',
  needs: ['prover'],
  judgesAll: true,
  async run(t) {
    const keys = expectByteVectors((await t.scene(enclaveIdentities)).keys, 'keys')
    for (const [salt, length] of LENGTHS.entries()) {
      const nonces = keys.map((_, index) => bytesOf(length, salt + index + 1))
      await t.prover.call(METHOD, [bytesOf(length, salt), nonces])
    }
    // The same nonces beside other user data: whoever keeps documents must not keep them by a part of the question.
    await t.prover.call(METHOD, [USER_DATA, keys.map((_, index) => bytesOf(32, index))])
    await t.prover.call(METHOD, [OTHER_USER_DATA, keys.map((_, index) => bytesOf(32, index))])
    await t.prover.call(METHOD, [USER_DATA, keys.map((_, index) => bytesOf(32, index + 1))])
    await t.prover.call(METHOD, [null, null])
    const all: Opened[] = []
    await judgeEach(t.seenProver.to(METHOD), 'answers with documents', (answer) => {
      const list = Array.isArray(answer.result) ? answer.result : []
      const documents = list.map((each, index) =>
        decodeCoseDocument(Uint8Array.from(each as number[]), `document ${index}`),
      )
      all.push({ ...answer, documents, keys })
    })
    await judgeEach(all, 'answers with documents', (opened) => judge(opened, all))
  },
})

const hex = (bytes: Uint8Array | null | undefined) =>
  bytes ? Buffer.from(bytes).toString('hex') : ''
const sentHex = (bytes: unknown) =>
  Array.isArray(bytes) ? hex(Uint8Array.from(bytes as number[])) : ''
const timeOf = ({ documents }: Opened) => Number(documents[0]?.payload.timestamp)

export const cases = defineCases([
  ofDocuments(
    {
      id: 'attestation.seen.keys.01',
      title: 'Every answer of the run has a document for each key, in the order of the keys',
      rules: ['ATT-03', 'HOST-RPC-08'],
      rationale: 'Callers pair the two lists by their places.',
    },
    ({ documents, keys }) =>
      expectEqual(
        documents.map(({ payload }) => hex(payload.public_key)),
        keys.map(hex),
        'public_key of each',
      ),
  ),
  ofDocuments(
    {
      id: 'attestation.seen.bound.01',
      title: 'Every document of the run has the user data and the nonce that were asked for, whole',
      rules: ['ATT-07', 'ATT-08', 'HOST-RPC-06', 'HOST-RPC-07', 'LIM-04', 'LIM-05'],
      rationale:
        'Asked with 1 to 512 bytes, each byte another one, and with one of both alone changed; what is cut binds nothing.',
    },
    ({ documents, params }) => {
      const [userData, nonces] = params
      for (const [index, { payload }] of documents.entries()) {
        const nonce = Array.isArray(nonces) ? nonces[index] : null
        expectEqual(hex(payload.user_data), sentHex(userData), `user_data of document ${index}`)
        expectEqual(hex(payload.nonce), sentHex(nonce), `nonce of document ${index}`)
      }
    },
  ),
  ofDocuments(
    {
      id: 'attestation.seen.whole.01',
      title: 'Every document of the run has its chain, its registers and a key of 65 bytes',
      rules: ['ATT-03', 'ATT-04', 'ATT-05'],
      rationale: 'Whatever it binds, and however long that is; links are checked by node:crypto.',
    },
    ({ documents }, [first]) => {
      for (const [index, { payload }] of documents.entries()) {
        const { cabundle, public_key, pcrs } = payload
        expectThat(cabundle.length > 0, 'a chain', 0, `cabundle of document ${index}`)
        expectEqual(findBrokenLink(payload), undefined, `certificate chain of document ${index}`)
        expectEqual(public_key?.length, 65, `bytes of public_key of document ${index}`)
        const registers = [...(first!.documents[index]?.payload.pcrs.keys() ?? [])]
        expectEqual([...pcrs.keys()], registers, `registers of document ${index}`)
      }
    },
  ),
  ofDocuments(
    {
      id: 'attestation.seen.signed.01',
      title: 'Every document of the run is signed by the key of its certificate',
      rules: ['ATT-02'],
      rationale: 'One changed byte and it is no document; looked at in all of them.',
    },
    ({ documents }) => {
      for (const [index, document] of documents.entries())
        expectEqual(isSignedByLeaf(document), true, `signature of document ${index}`)
    },
  ),
  ofDocuments(
    {
      id: 'attestation.seen.pcrs.01',
      title: 'An enclave has the same registers in every document of the run',
      rules: ['ATT-04', 'ATT-09'],
      rationale: 'They measure what was booted, which does not change while it runs.',
    },
    ({ documents }, [first]) => {
      const registers = (each: readonly CoseDocument[]) =>
        each.map(({ payload }) => [...payload.pcrs].map(([at, value]) => [at, hex(value)]))
      expectEqual(registers(documents), registers(first!.documents), 'pcrs')
    },
  ),
  ofDocuments(
    {
      id: 'attestation.seen.time.01',
      title: 'No document of the run is older than one that was answered before it was asked for',
      rules: ['ATT-06', 'ATT-11', 'ATT-12'],
      rationale: 'A document that is kept, for these words or for all, shows an old time.',
    },
    (opened, all) => {
      const time = timeOf(opened)
      expectThat(
        Math.abs(time - opened.asked) < HOUR,
        'within an hour of the question',
        time,
        'timestamp',
      )
      const before = all.filter(({ answered }) => answered < opened.asked)
      const newest = Math.max(...before.map(timeOf), 0)
      expectThat(time >= newest, `${newest} or later`, time, 'timestamp')
      // Two documents that were made one after the other are two, whatever they bind.
      const twin = before.find(({ documents }) =>
        documents.some(({ signature }, index) => {
          return hex(signature) === hex(opened.documents[index]?.signature)
        }),
      )
      const isTwin = twin !== undefined && opened.asked - twin.answered > MADE_SINCE
      expectEqual(isTwin, false, 'the document of an earlier call')
    },
  ),
])
