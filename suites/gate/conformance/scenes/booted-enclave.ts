import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { concat, toBytes, toHex } from 'viem'
import { type ModuleAnswer, type ScriptedSecurityModule, VSOCK, workingModule } from '#mocks/index'
import type { CaseContext, Scene } from '../conformance-case.ts'
import { expectListening, inFolder, readKey, withBoot } from '../hosts/boot-enclave.ts'
import { attestationFrame, frame, proveFrame } from '../spec/enclave-messages.ts'
import { keccak256 } from '../spec/hash.ts'
import type { EnclaveReply } from '../wire/enclave-client.ts'
import { dialEnclave } from '../wire/launch-enclave.ts'
import { interfacesOf, ipSocketsOf } from '../wire/look-at-process.ts'

/** What a module gives per call: 256 bytes, all different words. */
const randomOf = (name: string) =>
  toBytes(concat(Array.from({ length: 8 }, (_, word) => keccak256(toHex(`${name} ${word}`)))))

export const PCR0 = toBytes(concat([keccak256(toHex('measurement')), `0x${'ab'.repeat(16)}`]))
export const RANDOM = randomOf('first boot')
/** As long as one that a module gives; ends with zeros and is no CBOR, so that nobody can write it anew. */
export const DOCUMENT = toBytes(
  concat([
    ...Array.from({ length: 160 }, (_, word) => keccak256(toHex(`document ${word}`))),
    '0x0000',
  ]),
)
/** Of what was asked without user data it is the other way round. */
const documentFor = ({ userData }: { userData: Uint8Array | null }) =>
  userData ? DOCUMENT : DOCUMENT.toReversed()

/** What an enclave did from its boot to its end, and what two others did beside and after it. */
export interface BootedEnclaveFacts {
  /** Requests to the module when the enclave began to listen. */
  atBoot: ScriptedSecurityModule['requests']
  /** All requests to the module, those of three attestations among them. */
  requests: ScriptedSecurityModule['requests']
  /** Whether it took connections while it still waited for its randomness. */
  tookConnectionsEarly: boolean
  publicKey: Uint8Array
  /** Key of an enclave elsewhere, whose module gave the same randomness. */
  twinKey: Uint8Array
  /** Key of a second boot in the same folder, with other randomness. */
  rebootKey: Uint8Array
  /** What it answered to two requests for a document; the module gave DOCUMENT, to the first from its end. */
  documents: (Uint8Array | undefined)[]
  /** What it answered on the wire, and the files it left. */
  said: Uint8Array[]
  files: Uint8Array[]
  log: string
  /** In the midst of a Prove request. */
  ipSockets: string[]
  interfaces: string[]
  /** The reply to a request under which it was killed. */
  killed: EnclaveReply
}

export const bootedEnclave: Scene<BootedEnclaveFacts> = {
  name: 'booted enclave',
  kind: 'observation',
  build: (t) =>
    inFolder(async (folder) => {
      const [first, twinKey] = await Promise.all([live(t, folder), inFolder(keyIn(t, RANDOM))])
      const files = await filesIn(folder)
      return { ...first, files, twinKey, rebootKey: await keyIn(t, randomOf('reboot'))(folder) }
    }),
}

const keyIn = (t: CaseContext, random: Uint8Array) => (folder: string) =>
  withBoot(t, { folder, answer: workingModule(PCR0, random) }, async (boot) => {
    expectListening(boot)
    return readKey(boot)
  })

async function live(t: CaseContext, folder: string) {
  const working = workingModule(PCR0, RANDOM)
  let tookConnectionsEarly = false
  const held = Promise.withResolvers<void>()
  let isHolding = false
  const answer: ModuleAnswer = async (request, session) => {
    if (request.kind === 'GetRandom') {
      // One that listens already and waits for this answer says nothing until it has it.
      tookConnectionsEarly ||= (await dialEnclave(join(folder, VSOCK), t)) !== 'refused'
    }
    if (request.kind === 'Attestation' && isHolding) {
      held.resolve()
      await new Promise(() => undefined)
    }
    if (request.kind === 'Attestation')
      return { kind: request.kind, document: documentFor(request) }
    return working(request, session)
  }
  return withBoot(t, { folder, answer }, async (boot) => {
    expectListening(boot)
    const { enclave, client, module } = boot
    const atBoot = [...module!.requests]
    const publicKey = await readKey(boot)
    const replies = [
      await client.send(attestationFrame()),
      await client.send(attestationFrame(Uint8Array.of(1), Uint8Array.of(2))),
      await client.send(attestationFrame()),
      await client.send(frame(Uint8Array.of(3))),
    ]
    const prove = proveFrame([])
    const proving = client.send(prove)
    const pids = await enclave.pids()
    const ipSockets = (await Promise.all(pids.map(ipSocketsOf))).flat()
    const interfaces = (await Promise.all(pids.map(interfacesOf))).flat()
    replies.push(await proving)
    const requests = [...module!.requests]
    const documents = replies.slice(0, 2).map(({ payloads }) => payloads[0])

    isHolding = true
    const killing = client.send(attestationFrame())
    // One that does not ask the module is not killed in a request; that it answered, a case tells.
    await Promise.race([held.promise, killing])
    enclave.kill()
    const killed = await killing
    const said = replies.flatMap(({ payloads, rest }) => [...payloads, rest])
    const seen = { atBoot, requests, publicKey, tookConnectionsEarly, ipSockets, interfaces }
    return { ...seen, documents, said, killed, log: enclave.output() }
  })
}

async function filesIn(folder: string): Promise<Uint8Array[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name))))
}
