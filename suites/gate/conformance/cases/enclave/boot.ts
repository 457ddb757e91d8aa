import { secp256k1 } from '@noble/curves/secp256k1.js'
import { toHex } from 'viem'
import { type ModuleAnswer, workingModule } from '#mocks/index'
import { cannotJudge } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { inFolder, withBoot } from '../../hosts/boot-enclave.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import {
  type BootedEnclaveFacts,
  bootedEnclave,
  DOCUMENT,
  PCR0,
  RANDOM,
} from '../../scenes/booted-enclave.ts'
import { expectResponse } from '../../spec/enclave-messages.ts'
import { addressOfKey } from '../../spec/hash.ts'

/** Boots wait for each other, two at a time. */
const TIMEOUT = 120_000

const common = {
  area: 'enclave',
  needs: ['enclaveCommand'],
  timeout: TIMEOUT,
} as const satisfies Partial<ConformanceCase>

const test = (
  id: string,
  title: string,
  rules: readonly string[],
  rationale: string,
  check: (facts: BootedEnclaveFacts) => void,
): ConformanceCase => ({
  ...common,
  id,
  title,
  rules,
  rationale,
  run: async (t) => check(await t.scene(bootedEnclave)),
})

/** Boots with such a module, or none, and tells how that went. */
function bootWith(t: CaseContext, answer: ModuleAnswer | undefined) {
  return inFolder((folder) =>
    withBoot(t, { folder, answer }, async ({ enclave }) => {
      const { state } = enclave
      return { state, code: state === 'ended' ? await enclave.ended : undefined }
    }),
  )
}

/** Expects a boot to end without ever listening. */
async function expectNoBoot(t: CaseContext, answer: ModuleAnswer | undefined): Promise<void> {
  const { state, code } = await bootWith(t, answer)
  expectEqual(state, 'ended', 'state of the enclave')
  expectDifferent(code, 0, 'exit code')
}

const working = workingModule(PCR0, RANDOM)
/** Refuses one kind of request. */
const refusing =
  (kind: string): ModuleAnswer =>
  (request, session) =>
    request.kind === kind ? { kind: 'Error', code: 'InternalError' } : working(request, session)

/** The bytes of the module's randomness that are the private key of a public one. */
function privateKeyOf(publicKey: Uint8Array): Uint8Array {
  for (let at = 0; at + 32 <= RANDOM.length; at += 1) {
    const candidate = RANDOM.slice(at, at + 32)
    if (!secp256k1.utils.isValidSecretKey(candidate)) continue
    const derived = secp256k1.getPublicKey(candidate, false)
    if (toHex(derived) === toHex(publicKey)) return candidate
  }
  return cannotJudge('The key is no part of the randomness as it was given, so it is not known.')
}

const bare = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

export const cases = defineCases([
  {
    ...common,
    id: 'enclave.boot.no-module.01',
    title: 'Without a security module the enclave does not start',
    rules: ['ENC-START-01', 'JRN-20'],
    rationale: 'What signs without one is in local mode, which is for development alone.',
    run: (t) => expectNoBoot(t, undefined),
  },
  {
    ...common,
    id: 'enclave.boot.refusing-module.01',
    title: 'With a security module that refuses to be read the enclave does not start',
    rules: ['JRN-20', 'ENC-START-02'],
    rationale: 'A module that fails is no reason to sign with a measurement of zeros.',
    run: (t) => expectNoBoot(t, refusing('DescribePCR')),
  },
  {
    ...common,
    id: 'enclave.boot.pcr0-length.01',
    title: 'A PCR0 of 0, 32, 47 or 49 bytes ends the boot',
    rules: ['ENC-START-03'],
    rationale: 'A measurement that was padded or cut is the measurement of another image.',
    async run(t) {
      const lengths = [0, 32, 47, 49]
      const boots = await Promise.all(
        lengths.map((length) => bootWith(t, workingModule(new Uint8Array(length).fill(7), RANDOM))),
      )
      for (const [index, { state, code }] of boots.entries()) {
        const at = `with a PCR0 of ${lengths[index]} bytes`
        expectEqual(state, 'ended', `state ${at}`)
        expectDifferent(code, 0, `exit code ${at}`)
      }
    },
  },
  {
    ...common,
    id: 'enclave.boot.no-randomness.01',
    title: 'A module that gives no randomness ends the boot',
    rules: ['ENC-START-05'],
    rationale: 'A key from elsewhere is a key that somebody may know.',
    run: (t) => expectNoBoot(t, refusing('GetRandom')),
  },
  test(
    'enclave.boot.pcr0-read.01',
    'PCR0 is read from the module once, before the enclave listens',
    ['ENC-START-01', 'ENC-START-02'],
    'Read at boot and from the module, so nobody else can say what runs.',
    ({ atBoot, requests }) => {
      const reads = (all: typeof atBoot) =>
        all.filter((request) => request.kind === 'DescribePCR' && request.index === 0).length
      expectEqual([reads(atBoot), reads(requests)], [1, 1], 'reads of PCR0 at boot and in all')
    },
  ),
  test(
    'enclave.boot.key-of-module.01',
    'Equal randomness of the module gives equal keys, in any folder',
    ['ENC-START-05'],
    'The key follows the bytes of the module and nothing else.',
    ({ publicKey, twinKey }) => expectEqual(toHex(twinKey), toHex(publicKey), 'key of the twin'),
  ),
  test(
    'enclave.boot.fresh-key.01',
    'A second boot in the same place has another key',
    ['ENC-START-09'],
    'A key that outlives its enclave would have to be kept somewhere.',
    ({ publicKey, rebootKey }) =>
      expectDifferent(toHex(rebootKey), toHex(publicKey), 'key after a second boot'),
  ),
  test(
    'enclave.boot.two-cids.01',
    'One image answers under two CIDs at a time',
    ['ENC-PROTO-09'],
    'Two are booted side by side; a listener that is bound to one CID would miss the other.',
    ({ publicKey, twinKey }) =>
      expectEqual([publicKey.length, twinKey.length], [65, 65], 'bytes of the keys'),
  ),
  test(
    'enclave.boot.listens-last.01',
    'No connection is taken before the key exists',
    ['ENC-START-07'],
    'Dialled while the module keeps the randomness back.',
    ({ tookConnectionsEarly }) => expectEqual(tookConnectionsEarly, false, 'connection taken'),
  ),
  test(
    'enclave.boot.bare.01',
    'With an empty environment and no arguments the enclave serves',
    ['ENC-START-08'],
    'It needs its image and the vsock channel; whatever else it read, nobody measured.',
    ({ publicKey }) => expectEqual(publicKey.length, 65, 'bytes of the key'),
  ),
  test(
    'enclave.boot.logs-address.01',
    'Of the key the log shows the address, and neither half',
    ['ENC-START-06'],
    'Operators need the address to register it, and nothing more.',
    ({ log, publicKey }) => {
      const text = log.toLowerCase()
      const address = addressOfKey(publicKey)
      expectThat(text.includes(address), address, log.slice(0, 500), 'log')
      expectEqual(text.includes(bare(publicKey.subarray(1, 33))), false, 'public key in the log')
      expectEqual(text.includes(bare(privateKeyOf(publicKey))), false, 'private key in the log')
    },
  ),
  test(
    'enclave.boot.key-stays.01',
    'The private key is in no response, log line or file',
    ['SAFE-01'],
    'It is known here because the randomness is; searched as bytes and as hex.',
    ({ publicKey, said, files, log }) => {
      const key = Buffer.from(privateKeyOf(publicKey))
      const isIn = (bytes: Uint8Array) => {
        const buffer = Buffer.from(bytes)
        return buffer.includes(key) || buffer.toString('latin1').toLowerCase().includes(bare(key))
      }
      expectEqual(said.some(isIn), false, 'private key in a response')
      expectEqual(files.some(isIn), false, 'private key in a file')
      expectEqual(isIn(Buffer.from(log)), false, 'private key in the log')
    },
  ),
  test(
    'enclave.attestation.own-session.01',
    'Each attestation opens a session of its own',
    ['ATT-10'],
    'None asks in the session of another, or in that of the boot.',
    ({ requests, atBoot }) => {
      const attested = requests.filter(({ kind }) => kind === 'Attestation')
      const sessions = attested.map(({ session }) => session)
      expectEqual(attested.length, 3, 'attestations asked of the module')
      expectEqual(new Set(sessions).size, 3, 'sessions of three attestations')
      const reused = atBoot.filter(({ session }) => sessions.includes(session))
      expectEqual(reused.length, 0, 'requests of the boot in these sessions')
    },
  ),
  test(
    'enclave.attestation.as-it-came.01',
    'A document is on the wire byte for byte as the module gave it',
    ['ATT-01', 'ENC-KIND-03'],
    'It is signed: what is cut, written anew or padded is no document.',
    ({ documents }) => {
      const given = documents.map((payload, index) => {
        const at = `reply to signer_attestation ${index + 1}`
        const response = expectResponse(payload, at)
        expectThat(response.kind === 'bytes' && response.variant === 2, 'a document', response, at)
        return toHex(response.bytes)
      })
      expectEqual(
        given,
        [DOCUMENT.toReversed(), DOCUMENT].map((each) => toHex(each)),
        'documents',
      )
    },
  ),
  test(
    'enclave.attestation.own-words.01',
    'The module is asked with what the request has, and with nothing where it has nothing',
    ['ATT-07', 'ATT-08', 'SAFE-07'],
    'The first binds nothing, the second both, the third nothing again.',
    ({ requests }) => {
      const asked = requests.flatMap((request) =>
        request.kind === 'Attestation'
          ? [[request.userData, request.nonce].map((bytes) => bytes && toHex(bytes))]
          : [],
      )
      const nothing = [null, null]
      expectEqual(asked, [nothing, ['0x01', '0x02'], nothing], 'user data and nonces')
    },
  ),
  test(
    'enclave.process.vsock-alone.01',
    'While it serves a proof request the enclave holds no IP socket',
    ['ENC-PROTO-01'],
    'Seen in /proc: what it has to say to its host goes through vsock.',
    ({ ipSockets }) => expectEqual(ipSockets, [], 'IP sockets'),
  ),
  test(
    'enclave.process.no-network.01',
    'The enclave has no network interface but the loopback',
    ['ENC-PROTO-02'],
    'Seen in /proc; the loopback of a namespace of its own leads nowhere.',
    ({ interfaces }) => expectEqual(interfaces, [], 'network interfaces'),
  ),
  {
    ...test(
      'enclave.process.killed.01',
      'An enclave killed in a request closes the connection without a response',
      ['ENC-START-10'],
      'There is no graceful shutdown: half an answer would be worse than none.',
      ({ killed }) =>
        expectEqual([killed.payloads.length, killed.closed], [0, true], 'responses, closed'),
    ),
    level: 'may',
  },
])
