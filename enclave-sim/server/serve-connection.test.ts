import { type Duplex, duplexPair } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFrame, writeFrame } from '#enclave/wire/frame'
import {
  decodeResponse,
  type EnclaveRequest,
  type EnclaveResponse,
  encodeRequest,
} from '#enclave/wire/messages'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { ProgramResult } from '#protocol/proof/types'
import { seededRng } from '#protocol/random/rng'
import { bootLocal } from './boot-identity.ts'
import { createEnclave, type Program } from './create-enclave.ts'
import { serveConnection } from './serve-connection.ts'

const hash = (byte: string) => `0x${byte.repeat(32)}` as const
const result: ProgramResult = {
  chainId: 7n,
  configHash: hash('01'),
  l1Head: hash('02'),
  l1HeadNumber: 9n,
  agreedOutputRoot: hash('03'),
  agreedBlockNumber: 1n,
  claimedOutputRoot: hash('05'),
  claimedBlockNumber: 3n,
  proposer: `0x${'06'.repeat(20)}`,
  intermediateBlockInterval: 1n,
  blocks: [
    { number: 2n, hash: hash('14'), outputRoot: hash('04') },
    { number: 3n, hash: hash('15'), outputRoot: hash('05') },
  ],
}

function start(program: Program = async () => result, options: { frameLimit?: number } = {}) {
  const clock = new VirtualClock()
  const logged: { event: string; fields: Record<string, unknown> | undefined }[] = []
  const log = (event: string, fields?: Record<string, unknown>) =>
    void logged.push({ event, fields })
  const identity = bootLocal(seededRng('server'))
  const enclave = createEnclave({ identity, program, log, waitingProofs: 1 })
  const connect = (): { stream: Duplex; served: Promise<void> } => {
    const [near, far] = duplexPair()
    near.on('error', () => {})
    return { stream: near, served: serveConnection(far, { enclave, clock, log, ...options }) }
  }
  const ask = async (request: EnclaveRequest): Promise<EnclaveResponse> => {
    const { stream } = connect()
    await writeFrame(stream, encodeRequest(request))
    const response = decodeResponse(await readFrame(stream, { clock }))
    stream.destroy()
    return response
  }
  return { clock, logged, enclave, connect, ask, identity }
}

const PROVE: EnclaveRequest = { kind: 'Prove', preimages: [] }
const KEY: EnclaveRequest = { kind: 'SignerPublicKey' }

/** All bytes until the other end closes. */
async function drain(stream: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('a connection', () => {
  test('given each kind of request, then it is answered (ENC-KIND-01..03)', async () => {
    const { ask, identity } = start()
    const key = await ask(KEY)
    expect(key.kind === 'SignerPublicKey' && Buffer.from(key.publicKey)).toEqual(
      Buffer.from(identity.signer.publicKey),
    )
    expect(await ask(PROVE)).toMatchObject({
      kind: 'Prove',
      result: { kind: 'Tee', proposals: [{ l2BlockNumber: 2n }, { l2BlockNumber: 3n }] },
    })
    expect(await ask({ kind: 'SignerAttestation', userData: null, nonce: null })).toMatchObject({
      kind: 'Error',
      message: expect.stringContaining('failed to open NSM session'),
    })
  })

  test('given a second request on it, then that is not served (ENC-PROTO-03, ENC-PROTO-04)', async () => {
    let proofs = 0
    const { connect } = start(async () => {
      proofs++
      return result
    })
    const { stream, served } = connect()
    const received = drain(stream)
    await writeFrame(stream, encodeRequest(PROVE))
    await writeFrame(stream, encodeRequest(PROVE))
    stream.end()
    const bytes = await received
    await served
    expect(bytes.length).toBe(4 + bytes.readUInt32BE())
    expect(proofs).toBe(1)
  })

  test('given a peer that stays, then it is closed after the response all the same', async () => {
    const { connect, clock } = start()
    const { stream, served } = connect()
    const received = drain(stream)
    await writeFrame(stream, encodeRequest(KEY))
    expect((await received).length).toBeGreaterThan(65)
    await clock.advance(1000)
    await served
  })

  test.each([
    ['a truncated frame', Buffer.from('00000009', 'hex'), 'FRAME_TRUNCATED'],
    ['an unknown request', Buffer.from('0000000109', 'hex'), 'unknown variant'],
    ['an empty payload', Buffer.from('00000000', 'hex'), 'unexpected end'],
    ['a length above the limit', Buffer.from('000003e9', 'hex'), 'above the limit'],
  ])('given %s, then it is dropped without an answer', async (_what, bytes) => {
    const { connect, logged } = start(undefined, { frameLimit: 1000 })
    const { stream, served } = connect()
    const received = drain(stream).catch(() => Buffer.alloc(0))
    stream.end(bytes)
    await served
    expect(await received).toHaveLength(0)
    expect(logged.at(-1)!.event).toBe('dropped')
  })

  test('given random bytes, then it ends, one way or the other', async () => {
    const { connect } = start()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), async (bytes) => {
        const { stream, served } = connect()
        const received = drain(stream).catch(() => undefined)
        stream.end(bytes)
        await Promise.all([served, received])
      }),
    )
  })

  test('given a peer that sends nothing, then it is dropped after 300 s, not after 299 s (LIM-06)', async () => {
    const { connect, clock } = start()
    const { served } = connect()
    let open = true
    served.then(() => {
      open = false
    })
    await clock.advance(299_000)
    expect(open).toBe(true)
    await clock.advance(1_000)
    expect(open).toBe(false)
  })
})

describe('errors of a proof', () => {
  class Refused extends RollbedError {
    constructor() {
      super('UNSUPPORTED_CHAIN', 'unsupported chain: 1')
    }
  }
  test.each([
    ['raised on purpose', new Refused(), 'unsupported chain: 1'],
    ['of the pipeline', new TypeError('x is undefined'), 'proof pipeline error: x is undefined'],
    ['that are no errors', 'text', 'proof pipeline error: text'],
  ])('given errors %s, then they become the message', async (_what, thrown, message) => {
    const { ask } = start(() => Promise.reject(thrown))
    expect(await ask(PROVE)).toEqual({ kind: 'Error', message })
  })

  test('given a program that lies about the claim, then there is no signature (SAFE-03)', async () => {
    const { ask } = start(async () => ({ ...result, claimedOutputRoot: hash('ee') }))
    expect(await ask(PROVE)).toMatchObject({
      kind: 'Error',
      message: expect.stringContaining('invalid claim: computed 0x05'),
    })
  })
})

describe('several proofs at once (OPEN-91)', () => {
  test('given more than one, then they run one after the other, and what does not fit the queue is refused', async () => {
    const running: PromiseWithResolvers<ProgramResult>[] = []
    const { ask } = start(() => {
      running.push(Promise.withResolvers())
      return running.at(-1)!.promise
    })
    const first = ask(PROVE)
    const second = ask(PROVE)
    expect(await ask(PROVE)).toEqual({
      kind: 'Error',
      message: 'enclave busy: another proof request is already in flight',
    })
    expect(await ask(KEY)).toMatchObject({ kind: 'SignerPublicKey' })
    expect(running).toHaveLength(1)
    running[0]!.reject(new Error('failed'))
    expect(await first).toMatchObject({ kind: 'Error' })
    expect(running).toHaveLength(2)
    running[1]!.resolve(result)
    expect(await second).toMatchObject({ kind: 'Prove' })
  })

  test('given the same request twice, then the answers are the same: nothing is left behind (SAFE-07)', async () => {
    const { ask } = start()
    const first = await ask(PROVE)
    await ask({ kind: 'SignerAttestation', userData: null, nonce: null })
    expect(await ask(PROVE)).toEqual(first)
  })
})

test('given key material, then only the address is logged (ENC-START-06)', async () => {
  const { ask, logged, identity } = start()
  await ask(PROVE)
  await ask(KEY)
  const text = JSON.stringify(logged)
  expect(text).toContain(identity.signer.address)
  const secret = Buffer.from(seededRng('server').bytes(32)).toString('hex')
  expect(text).not.toContain(secret)
  expect(text).not.toContain(Buffer.from(identity.signer.publicKey).toString('hex'))
})
