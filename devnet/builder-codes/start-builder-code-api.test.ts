import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BaseLogger } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { seededRng, systemRng } from '#protocol/random/rng'
import { type CodeRegistry, openCodeRegistry } from './code-registry.ts'
import {
  type BuilderCodeApi,
  REGISTRATION_PATH,
  startBuilderCodeApi,
} from './start-builder-code-api.ts'

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

let directory: string
let registry: CodeRegistry
let api: BuilderCodeApi

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rollbed-test-'))
  registry = openCodeRegistry(join(directory, 'codes.sqlite'), seededRng(1))
  api = await startBuilderCodeApi({ registry, host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await api.stop()
  registry.close()
  await rm(directory, { recursive: true })
})

interface Reply {
  builderCode: string
  walletAddress: string
  error: { code: string; message: string }
}

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}/v1/agents/builder-codes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Reply }
}

describe('registration', () => {
  test('given a new wallet, when it registers, then it gets 201 and a code of the documented form (BC-01, BC-07…09)', async () => {
    const { status, body } = await post({ walletAddress: WALLET.toLowerCase() })
    expect(status).toBe(201)
    expect(body).toEqual({
      builderCode: expect.stringMatching(/^bc_[a-z0-9]{8}$/),
      walletAddress: WALLET,
    })
  })

  test('given a known wallet, when it registers in any letter case, then it gets 200 and the same code (BC-10)', async () => {
    const first = await post({ walletAddress: WALLET })
    for (const digits of [
      WALLET.slice(2),
      WALLET.slice(2).toLowerCase(),
      WALLET.slice(2).toUpperCase(),
    ]) {
      expect(await post({ walletAddress: `0x${digits}` })).toEqual({
        status: 200,
        body: first.body,
      })
    }
  })

  test('given fifty first registrations at once, then they make one code (BC-11)', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => post({ walletAddress: WALLET })),
    )
    expect(new Set(replies.map((reply) => reply.body.builderCode)).size).toBe(1)
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
  })

  test('given a draw that gives the same code again, then two wallets still do not share it (BC-13)', async () => {
    const drawn = seededRng(7)
    let calls = 0
    const sixteenZerosFirst = {
      bytes: (count: number) => (calls++ < 16 ? new Uint8Array(count) : drawn.bytes(count)),
    }
    const own = openCodeRegistry(':memory:', sixteenZerosFirst)
    const first = await own.register(WALLET)
    const second = await own.register(OTHER)
    expect(first.builderCode).toBe('bc_aaaaaaaa')
    expect(second.builderCode).not.toBe(first.builderCode)
    own.close()
  })

  test('given a registered wallet, when the service starts again, then its code is still there (BC-12)', async () => {
    const { body } = await post({ walletAddress: WALLET })
    const reopened = openCodeRegistry(join(directory, 'codes.sqlite'), systemRng)
    expect(reopened.register(WALLET)).toEqual({ ...body, created: false })
    expect(reopened.walletOf(body.builderCode)).toBe(WALLET)
    reopened.close()
  })
})

describe('refusals', () => {
  test.each([
    ['no walletAddress (BC-05)', {}, 'walletAddress is missing.'],
    ['a number (BC-05)', { walletAddress: 5 }, 'walletAddress must be a string.'],
    ['an array', [], 'The body must be a JSON object with the member walletAddress.'],
    ['no 0x (BC-06)', { walletAddress: WALLET.slice(2) }, expect.stringContaining('40 hex')],
    ['19 bytes (BC-06)', { walletAddress: WALLET.slice(0, 40) }, expect.stringContaining('40 hex')],
    [
      'a wrong checksum',
      { walletAddress: WALLET.replace('C8', 'c8') },
      'walletAddress has a wrong EIP-55 checksum.',
    ],
  ])('given %s, then it gets 400 and no code', async (_name, body, message) => {
    expect(await post(body)).toEqual({
      status: 400,
      body: { error: { code: 'INVALID_WALLET_ADDRESS', message } },
    })
  })

  test('given text that is not JSON, then it gets 400', async () => {
    const { status, body } = await post('{"walletAddress":')
    expect([status, body.error.code]).toEqual([400, 'INVALID_JSON'])
  })

  test('given another content type, then it gets 415 (BC-04)', async () => {
    const { status, body } = await post('walletAddress=1', { 'content-type': 'text/plain' })
    expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('given a body beyond the limit, then it gets 413', async () => {
    const { status, body } = await post({ walletAddress: WALLET, padding: 'x'.repeat(20_000) })
    expect([status, body.error.code]).toEqual([413, 'BODY_TOO_LARGE'])
  })

  test('given a GET, then it gets 405, which names POST', async () => {
    const response = await fetch(`${api.url}/v1/agents/builder-codes`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('given the path without its version, then it is not the endpoint (BC-02)', async () => {
    const response = await fetch(`${api.url}/agents/builder-codes`, { method: 'POST' })
    expect(response.status).toBe(404)
  })

  test('given a port that is busy, when the service starts, then the error says so', async () => {
    const port = Number(new URL(api.url).port)
    await expect(startBuilderCodeApi({ registry, host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'PORT_BUSY',
      message: `Port ${port}, wanted for the builder-code API, is in use.`,
    })
  })
})

test('given a registry that fails, then the cause of the 500 is told to the log and not to the caller', async () => {
  const heard: unknown[] = []
  const broken = await startBuilderCodeApi({
    registry: {
      register() {
        throw new Error('database disk image is malformed')
      },
    } as unknown as CodeRegistry,
    logger: { error: (fields: unknown) => void heard.push(fields) } as unknown as BaseLogger,
    host: '127.0.0.1',
    port: 0,
  })
  const answer = await fetch(`${broken.url}${REGISTRATION_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266' }),
  })
  await broken.stop()
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('malformed')
  expect(heard).toMatchObject([{ err: { message: 'database disk image is malformed' } }])
})
