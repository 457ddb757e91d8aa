import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { bytesToHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { attest } from '#enclave/security-module/sim/attest'
import {
  createCertificateChain,
  createSimRoot,
} from '#enclave/security-module/sim/certificate-chain'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { createSigner } from '#protocol/journal/signer'
import { seededRng } from '#protocol/random/rng'
import { addAttestationCommand } from './attestation.ts'

const clock = new VirtualClock()
const now = clock.now()
const rng = seededRng('attestation command')
const root = createSimRoot({ clock, rng })
const chain = createCertificateChain({ root, moduleId: 'i-1-enc2', clock, rng }).current()
const { publicKey } = createSigner(new Uint8Array(32).fill(7))
const content = {
  moduleId: 'i-1-enc2',
  timestamp: now,
  pcrs: Array.from({ length: 16 }, (_, index) => new Uint8Array(48).fill(index + 1)),
  certificate: chain.leaf.certificate,
  bundle: chain.bundle,
  publicKey,
  userData: null,
  nonce: Buffer.from('c0ffee', 'hex'),
}
const document = attest(content, chain.leaf.privateKey)

let folder: string
const file = (name: string) => join(folder, name)
const print = vi.spyOn(console, 'log').mockImplementation(() => {})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollbed-attestation-'))
  const text = Buffer.from(document)
  await writeFile(file('binary'), document)
  await writeFile(file('hex'), `0x${text.toString('hex')}\n`)
  await writeFile(file('base64'), text.toString('base64').replaceAll(/.{64}/g, '$&\n'))
  await writeFile(file('answer.json'), JSON.stringify({ result: [[...document]] }))
  await writeFile(file('root.der'), root.certificate)
})
afterEach(() => print.mockClear())
afterAll(() => rm(folder, { recursive: true }))

async function attestation(...args: string[]): Promise<string> {
  const program = new Command().exitOverride()
  addAttestationCommand(program)
  await program.parseAsync(['attestation', ...args], { from: 'user' })
  return print.mock.calls.flat().join('\n')
}

describe('rollbed attestation inspect', () => {
  test.each(['binary', 'hex', 'base64', 'answer.json'])(
    'given a document as %s, then it is read',
    async (name) => {
      const claims = JSON.parse(await attestation('inspect', file(name), '--json'))
      expect(claims).toMatchObject({
        moduleId: 'i-1-enc2',
        nonce: '0xc0ffee',
        userData: null,
        isDebug: false,
        signer: publicKeyToAddress(bytesToHex(publicKey)).toLowerCase(),
      })
      expect(claims.pcrs[15]).toBe(`0x${'10'.repeat(48)}`)
      expect(claims.cabundle).toHaveLength(chain.bundle.length)
    },
  )

  test('given an enclave in debug mode, then that is said', async () => {
    const pcrs = content.pcrs.map(() => new Uint8Array(48))
    await writeFile(file('debug'), attest({ ...content, pcrs }, chain.leaf.privateKey))
    expect(JSON.parse(await attestation('inspect', file('debug'), '--json'))).toMatchObject({
      isDebug: true,
      imageHash: '0xc980e59163ce244bb4bb6211f48c7b46f88a4f40943e84eb99bdc41e129bd293',
    })
  })

  test('given no --json, then each claim stands on a line', async () => {
    expect(await attestation('inspect', file('hex'))).toMatch(/^moduleId {6}i-1-enc2$/m)
  })

  test('given a file that is no document, then it is refused', async () => {
    await expect(attestation('inspect', file('root.der'))).rejects.toMatchObject({
      code: 'ATTESTATION_INVALID',
    })
    await expect(attestation('inspect', file('missing'))).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('rollbed attestation verify', () => {
  const trust = () => ['--root', file('root.der'), '--at', 'document']

  test('given a document under its root, at its time and with its nonce, then it is accepted', async () => {
    const claims = await attestation('verify', file('hex'), ...trust(), '--nonce', '0xc0ffee')
    expect(claims).toContain('i-1-enc2')
  })

  describe('in the folder of a devnet', () => {
    const elsewhere = process.cwd()
    const devnetWith = (attestationRoot: Uint8Array) => {
      mkdirSync(join(folder, '.rollbed'), { recursive: true })
      const description = JSON.stringify({ attestationRoot: bytesToHex(attestationRoot) })
      writeFileSync(join(folder, '.rollbed/devnet.json'), description)
      process.chdir(folder)
    }
    afterEach(() => {
      process.chdir(elsewhere)
      rmSync(join(folder, '.rollbed'), { recursive: true })
    })

    test('given a document that its simulation signed, then it is accepted and said to be SIMULATED', async () => {
      devnetWith(root.certificate)
      const claims = await attestation('verify', file('hex'), '--at', 'document')
      expect(claims).toMatch(/^trust {9}SIMULATED: /m)
      const given = await attestation('verify', file('hex'), ...trust(), '--json')
      expect(given.split('\n').at(-1)).toContain('"trust":"root of ')
    })

    test('given a document that another simulation signed, then it is refused', async () => {
      devnetWith(createSimRoot({ clock, rng }).certificate)
      await expect(attestation('verify', file('hex'), '--at', 'document')).rejects.toThrow(
        'trusted root',
      )
    })
  })

  test.each([
    ['without its root', () => ['--at', 'document'], 'trusted root'],
    ['with another nonce', () => [...trust(), '--nonce', '0xbeef'], 'nonce'],
    ['years later', () => ['--root', file('root.der'), '--at', '2199-01-01'], 'expired'],
  ])('given a document %s, then it is refused', async (_name, flags, message) => {
    await expect(attestation('verify', file('binary'), ...flags())).rejects.toThrow(message)
  })

  test.each([
    ['a time that is none', ['--at', 'soon']],
    ['a root that is none', ['--root', import.meta.filename]],
  ])('given %s, then it is refused as a wrong use', async (_name, flags) => {
    await expect(attestation('verify', file('hex'), ...flags)).rejects.toMatchObject({
      code: 'USAGE',
    })
  })
})
