import { hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EnclaveClient, enclaveClient } from '#devnet/proving/prover/enclave-client'
import { connect } from '#enclave/vsock/connect'
import { parseEndpoint } from '#enclave/vsock/endpoint'
import type { EnclaveRequest } from '#enclave/wire/messages'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Proposal } from '#protocol/proof/types'
import { type Reaction, type ScriptedEnclave, scriptedEnclave } from './scripted-enclave.ts'

const publicKey = hexToBytes(privateKeyToAccount(`0x${'00'.repeat(31)}01`).publicKey)
const hash = (byte: string) => `0x${byte.repeat(32)}` as const
const proposal: Proposal = {
  outputRoot: hash('01'),
  signature: `0x${'ab'.repeat(65)}`,
  l1OriginHash: hash('02'),
  l1OriginNumber: 1n,
  l2BlockNumber: 2n,
  prevOutputRoot: hash('03'),
  configHash: hash('04'),
}
const never = new AbortController().signal

let clock: VirtualClock
let enclave: ScriptedEnclave
let react: (request: EnclaveRequest) => Reaction
let client: EnclaveClient

beforeEach(async () => {
  clock = new VirtualClock()
  enclave = await scriptedEnclave((request) => react(request))
  const endpoint = parseEndpoint(enclave.endpoint)
  client = enclaveClient({ cid: 16, clock, connect: () => connect(endpoint, { clock }) })
})

afterEach(() => enclave.stop())

/** Turns of the event loop until `done`: real sockets, virtual time. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setImmediate(resolve))
}

describe('enclaveClient on a hybrid UNIX socket', () => {
  it('given a key of 65 bytes, when asked for, then it comes back', async () => {
    react = () => ({ kind: 'SignerPublicKey', publicKey })
    expect(Uint8Array.from(await client.signerPublicKey())).toEqual(publicKey)
    expect(enclave.requests).toEqual([{ kind: 'SignerPublicKey' }])
  })

  it('given two requests, when made, then each has its own connection (ENC-PROTO-03)', async () => {
    react = () => ({ kind: 'SignerPublicKey', publicKey })
    await client.signerPublicKey()
    await client.signerPublicKey()
    expect(enclave.connections()).toBe(2)
  })

  it('given user data and a nonce, when attested, then both arrive and the document comes back', async () => {
    react = () => ({ kind: 'SignerAttestation', document: Uint8Array.of(0x84) })
    const document = await client.signerAttestation({
      userData: Uint8Array.of(1),
      nonce: undefined,
    })
    expect([...document]).toEqual([0x84])
    const [request] = enclave.requests
    expect(request).toMatchObject({ kind: 'SignerAttestation', nonce: null })
    expect([...(request as { userData: Uint8Array }).userData]).toEqual([1])
  })

  it('given a large witness, when proving, then it arrives whole and the proof is handed on', async () => {
    const value = new Uint8Array(300_000).map((_, index) => index)
    const key = { type: 'keccak256' as const, data: new Uint8Array(31).fill(9) }
    let received: Uint8Array | undefined
    react = (request) => {
      if (request.kind === 'Prove') received = request.preimages[0]?.value
      const result = { kind: 'Tee' as const, aggregateProposal: proposal, proposals: [proposal] }
      return { kind: 'Prove', result }
    }
    expect(await client.prove([{ key, value }], never)).toMatchObject({
      aggregateProposal: proposal,
      proposals: [proposal],
    })
    expect(Buffer.compare(received!, value)).toBe(0)
  })

  it.each<[string, Reaction, string]>([
    ['an error', { kind: 'Error', message: 'unsupported chain: 1' }, 'unsupported chain: 1'],
    ['another kind', { kind: 'SignerPublicKey', publicKey }, 'unexpected response for prove'],
    [
      'a ZK proof',
      { kind: 'Prove', result: { kind: 'Zk', proofBytes: new Uint8Array(1) } },
      'unexpected response for prove',
    ],
    ['nothing', 'hang up', 'frame read failed: connection closed'],
    ['garbage', { kind: 'Bytes', bytes: Uint8Array.of(0, 0, 0, 1, 0xee) }, 'frame read failed: '],
  ])(
    'given %s as the answer, when proving, then it fails in those words',
    async (_, reaction, message) => {
      react = () => reaction
      await expect(client.prove([], never)).rejects.toMatchObject({
        code: 'ENCLAVE_FAILURE',
        message: expect.stringContaining(message),
      })
    },
  )

  it.each([64, 33])(
    'given a key of %i bytes, when asked for, then it is refused',
    async (length) => {
      react = () => ({ kind: 'SignerPublicKey', publicKey: new Uint8Array(length).fill(4) })
      await expect(client.signerPublicKey()).rejects.toThrow(
        'invalid signer public key: expected 65-byte uncompressed SEC1 key',
      )
    },
  )

  it('given a stalled enclave, when 10 s have passed, then a signer operation fails', async () => {
    react = () => 'stall'
    const answer = expect(client.signerPublicKey()).rejects.toThrow('signer_public_key timed out')
    await enclave.arrived(1)
    await clock.advance(10_000)
    await answer
  })

  it('given a stalled enclave, when hours pass, then proving goes on until its signal ends it', async () => {
    react = () => 'stall'
    const abort = new AbortController()
    let settled = false
    const answer = client.prove([], abort.signal).finally(() => {
      settled = true
    })
    const failed = expect(answer).rejects.toThrow('enough')
    await enclave.arrived(1)
    await clock.advance(10 * 3_600_000)
    expect(settled).toBe(false)
    abort.abort(new Error('enough'))
    await failed
  })

  it('given nobody at the socket, when called, then connect failed', async () => {
    await enclave.stop()
    await expect(client.signerPublicKey()).rejects.toThrow('connect failed: ')
  })

  it('given a connection that never opens, when 5 s have passed, then it is given up and closed when late', async () => {
    const late = await connect(parseEndpoint(enclave.endpoint), { clock })
    const arriving = Promise.withResolvers<typeof late>()
    const slow = enclaveClient({ cid: 16, clock, connect: () => arriving.promise })
    const failed = expect(slow.signerPublicKey()).rejects.toThrow('connect timed out')
    await clock.advance(5_000)
    await failed
    arriving.resolve(late)
    await until(() => late.destroyed)
  })

  it('given a caller who leaves while it is dialled, then the enclave is asked nothing', async () => {
    const connection = await connect(parseEndpoint(enclave.endpoint), { clock })
    const arriving = Promise.withResolvers<typeof connection>()
    const slow = enclaveClient({ cid: 16, clock, connect: () => arriving.promise })
    react = () => 'stall'
    const abort = new AbortController()
    const failed = expect(slow.prove([], abort.signal)).rejects.toThrow('enough')
    abort.abort(new Error('enough'))
    arriving.resolve(connection)
    await failed
    await until(() => connection.destroyed)
    expect(enclave.requests).toEqual([])
  })
})
