import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex } from '@ethereumjs/util'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeResponse, encodeRequest } from '#enclave/wire/messages'
import { type Rng, systemRng } from '#protocol/random/rng'
import { safetySeed } from './check-property.ts'
import { honestClaim } from './claim.ts'
import { randomWorld } from './random-world.ts'
import { type EnclaveUnderTest, runEnclave } from './run-enclave.ts'
import { witnessOf } from './witness-of.ts'

const KEY_SIZE = 32

let enclave: EnclaveUnderTest
let key: Uint8Array
const responses = new Map<string, Buffer>()

/**
 * The test plays the hypervisor, so it hears the randomness that the security module gives out: the
 * enclave's key is the first 32 bytes of the only draw that a boot makes.
 */
beforeAll(async () => {
  const draws: Uint8Array[] = []
  const rng: Rng = {
    bytes(count) {
      const drawn = systemRng.bytes(count)
      draws.push(Uint8Array.from(drawn))
      return drawn
    },
  }
  const world = await randomWorld(safetySeed)
  enclave = await runEnclave(world.config, rng)
  key = draws.find(({ length }) => length === 256)!.subarray(0, KEY_SIZE)

  const claim = honestClaim(world, 0, world.blocks.length - 1)
  const wrong = { ...claim, claimedRoot: world.rootOf(1) }
  const [user, long] = [systemRng.bytes(40), systemRng.bytes(600)]
  const attest = (userData: Uint8Array | null, nonce: Uint8Array | null) =>
    encodeRequest({ kind: 'SignerAttestation', userData, nonce })
  const requests: [string, Uint8Array][] = [
    ['a key', encodeRequest({ kind: 'SignerPublicKey' })],
    ['an attestation', attest(user, user)],
    ['an attestation refused', attest(long, null)],
    ['a proof', encodeRequest({ kind: 'Prove', preimages: await witnessOf(world, claim) })],
    ['a proof refused', encodeRequest({ kind: 'Prove', preimages: await witnessOf(world, wrong) })],
    ['an empty proof', encodeRequest({ kind: 'Prove', preimages: [] })],
  ]
  for (const [name, payload] of requests) responses.set(name, (await enclave.exchange(payload))!)
  await enclave.exchange(Uint8Array.of(77))
})
afterAll(() => enclave?.stop())

/** A secret in any form that code would print or write it in, whole or half. */
function formsOf(secret: Uint8Array): Buffer[] {
  const halves = [secret.subarray(0, KEY_SIZE / 2), secret.subarray(KEY_SIZE / 2)]
  return [secret, Uint8Array.from(secret).reverse(), ...halves].flatMap((bytes) => {
    const buffer = Buffer.from(bytes)
    const hex = buffer.toString('hex')
    const texts = [
      hex,
      hex.toUpperCase(),
      // The last characters of base64 depend on what follows.
      buffer.toString('base64').slice(0, -4),
      buffer.toString('base64url').slice(0, -4),
      [...bytes].join(','),
      [...bytes].join(', '),
      BigInt(`0x${hex}`).toString(),
    ]
    return [buffer, ...texts.map((text) => Buffer.from(text))]
  })
}

const tells = (surface: Uint8Array | string, secret: Uint8Array): boolean => {
  const bytes = Buffer.from(surface as Uint8Array)
  return formsOf(secret).some((form) => bytes.includes(form))
}

/** All regular files below a directory. */
function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
}

/** What of a process anyone on the machine with its rights can look at, by name. */
function proc(pid: number): [string, Buffer][] {
  const base = `/proc/${pid}`
  const names = ['environ', 'cmdline', 'comm', 'status', 'maps', 'mountinfo']
  const descriptors = readdirSync(`${base}/fd`).map((fd) => `${base}/fd/${fd}`)
  const opened = descriptors.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
  return [
    ...names.map((name): [string, Buffer] => [name, readFileSync(`${base}/${name}`)]),
    ...descriptors.map((path): [string, Buffer] => [path, Buffer.from(readlinkSync(path))]),
    ...opened.map((path): [string, Buffer] => [`content of ${path}`, readFileSync(path)]),
  ]
}

test('given the key of the test, then it is that of the signer', () => {
  expect(privateKeyToAddress(bytesToHex(key)).toLowerCase()).toBe(enclave.signer)
})

test('given the requests, then they went every way there is: proofs, a document, refusals', () => {
  const kinds = [...responses].map(([name, payload]) => [name, decodeResponse(payload).kind])
  expect(kinds).toEqual([
    ['a key', 'SignerPublicKey'],
    ['an attestation', 'SignerAttestation'],
    ['an attestation refused', 'Error'],
    ['a proof', 'Prove'],
    ['a proof refused', 'Error'],
    ['an empty proof', 'Error'],
  ])
})

test('given a key in any form, then the search finds it, and the public key where it belongs', () => {
  for (const form of formsOf(key))
    expect(tells(Buffer.concat([Buffer.from('x'), form]), key)).toBe(true)
  const publicKey = Buffer.from(enclave.publicKey.slice(2), 'hex')
  expect(responses.get('a key')!.includes(publicKey)).toBe(true)
  expect(responses.get('an attestation')!.includes(publicKey)).toBe(true)
  expect(enclave.logged.join('')).toContain(enclave.signer)
})

test('given any response, then the key is not in it (SAFE-01)', () => {
  for (const [name, payload] of responses) expect(tells(payload, key), name).toBe(false)
})

test('given any line of any log, then the key is not in it (SAFE-01, ENC-START-06)', () => {
  expect(enclave.logged.length).toBeGreaterThan(4)
  expect(tells(enclave.logged.join('\n'), key)).toBe(false)
})

test('given any file of the enclave, its own program included, then the key is not in it (SAFE-01)', () => {
  const files = filesOf(enclave.workDir)
  expect(files.some((path) => path.endsWith('enclave.mjs'))).toBe(true)
  expect(files.filter((path) => tells(readFileSync(path), key))).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'given environment, command line and open files, then the key is not in them (SAFE-01, ENC-START-08)',
  () => {
    const surfaces = proc(enclave.pid)
    expect(surfaces.some(([name]) => name === 'environ')).toBe(true)
    expect(surfaces.filter(([, bytes]) => tells(bytes, key)).map(([name]) => name)).toEqual([])
  },
)
