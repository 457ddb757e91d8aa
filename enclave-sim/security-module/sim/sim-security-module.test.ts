import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { seededRng } from '#protocol/random/rng'
import { decodeNsmResponse } from '../nsm-messages.ts'
import { type SecurityModule, securityModule } from '../security-module.ts'
import { connectSecurityModule, streamChannel } from '../stream-channel.ts'
import { createSimRoot } from './certificate-chain.ts'
import { serveSecurityModule } from './serve-security-module.ts'
import { createSimSecurityModule, extend } from './sim-security-module.ts'

const clock = new VirtualClock()
const rng = seededRng('module')
const pcr0 = new Uint8Array(48).fill(0xaa)
const simulated = createSimSecurityModule({ pcr0, root: createSimRoot({ clock, rng }), clock, rng })

const directory = mkdtempSync(join(tmpdir(), 'rb-'))
const path = join(directory, 'vsock_9001')
let served: { close(): Promise<void> }
let module: SecurityModule

beforeAll(async () => {
  served = await serveSecurityModule({ path, module: simulated, clock })
  module = securityModule(streamChannel(await connectSecurityModule(path), systemClock))
})
afterAll(async () => {
  module.close()
  await served.close()
  expect(existsSync(path)).toBe(false)
  rmSync(directory, { recursive: true })
})

const none = { publicKey: null, userData: null, nonce: null }

describe('a session with the simulated module', () => {
  test('given register 0, then it is 48 raw bytes, locked (ATT-09)', async () => {
    expect(await module.describePcr(0)).toEqual({
      kind: 'DescribePCR',
      lock: true,
      data: pcr0,
    })
    expect((await module.describePcr(15)).data).toHaveLength(48)
  })

  test('given a register that does not exist, then it refuses', async () => {
    await expect(module.describePcr(16)).rejects.toThrow('refused DescribePCR: InvalidIndex')
  })

  test('given a call for randomness, then 256 fresh bytes come', async () => {
    const [first, second] = [await module.random(), await module.random()]
    expect(first).toHaveLength(256)
    expect(first).not.toEqual(second)
  })

  test.each([
    ['512 bytes of user data', { userData: Buffer.alloc(512) }, undefined],
    ['513 bytes of user data', { userData: Buffer.alloc(513) }, 'InputTooLarge'],
    ['512 bytes of nonce', { nonce: Buffer.alloc(512) }, undefined],
    ['513 bytes of nonce', { nonce: Buffer.alloc(513) }, 'InputTooLarge'],
    ['1024 bytes of key', { publicKey: Buffer.alloc(1024) }, undefined],
    ['1025 bytes of key', { publicKey: Buffer.alloc(1025) }, 'InputTooLarge'],
    ['an empty key', { publicKey: Buffer.alloc(0) }, 'InvalidArgument'],
  ])(
    'given %s in an attestation of %o, then the answer is %s (LIM-04, LIM-05)',
    async (_what, claims, error) => {
      const attesting = module.attest({ ...none, ...claims })
      if (error) await expect(attesting).rejects.toThrow(error)
      else expect((await attesting)[0]).toBe(0x84)
    },
  )

  test('given a module that ends, then the session ends with it', async () => {
    const other = join(directory, 'other')
    const server = await serveSecurityModule({ path: other, module: simulated, clock })
    const session = securityModule(streamChannel(await connectSecurityModule(other), systemClock))
    const asking = session.random()
    await asking
    await server.close()
    await expect(session.random()).rejects.toThrow()
  })
})

test('given a request that makes no sense, then the answer is InvalidOperation', () => {
  expect(decodeNsmResponse(simulated.respond(Buffer.from('ff', 'hex')))).toEqual({
    kind: 'Error',
    code: 'InvalidOperation',
  })
})

test('given a register, when it takes data up, then it does as Nitro does: SHA-384(old, SHA-384(data))', () => {
  const sha384 = (...parts: Uint8Array[]) =>
    createHash('sha384').update(Buffer.concat(parts)).digest('hex')
  const zero = Buffer.alloc(48)
  const data = Buffer.from('image')
  expect(Buffer.from(extend(zero, data)).toString('hex')).toBe(
    sha384(zero, Buffer.from(sha384(data), 'hex')),
  )
})
