import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '#enclave/vsock/connect'
import { parseEndpoint } from '#enclave/vsock/endpoint'
import { readFrame, writeFrame } from '#enclave/wire/frame'
import { decodeResponse, encodeRequest } from '#enclave/wire/messages'
import { type HostBench, hostBench } from './host-bench.ts'
import { type HostChain, hostChain } from './host-chain.ts'
import { type LocalEnclave, localEnclave } from './local-enclave.ts'

let chain: HostChain
let bench: HostBench

beforeAll(async () => {
  chain = await hostChain()
})
afterAll(() => chain.stop())
beforeEach(async () => {
  bench = await hostBench(chain, 1)
})
afterEach(() => bench.stop())

const KEY = encodeRequest({ kind: 'SignerPublicKey' })

describe('what an enclave answers, as the host sees it', () => {
  const bytes = (...values: number[]) => ({
    kind: 'Bytes' as const,
    bytes: Uint8Array.from(values),
  })

  it.each([
    ['a frame of an unknown kind', bytes(0, 0, 0, 1, 0xee), /frame read failed: /],
    [
      'a frame longer than the cap',
      bytes(0xff, 0xff, 0xff, 0xff),
      /frame read failed: frame of 4294967295 bytes is above the limit/,
    ],
    ['an empty frame', bytes(0, 0, 0, 0), /frame read failed: /],
    ['no frame at all', 'hang up' as const, /frame read failed: connection closed/],
    [
      'an answer of another kind',
      { kind: 'SignerPublicKey' as const, publicKey: new Uint8Array(65) },
      /unexpected response for prove$/,
    ],
    [
      'a proof of another variant',
      { kind: 'Prove' as const, result: { kind: 'Zk' as const, proofBytes: new Uint8Array(3) } },
      /unexpected response for prove$/,
    ],
  ])('given %s, when proving, then -32000 says so', async (_, reaction, message) => {
    bench.enclaves[0]!.reactions.Prove = reaction
    const { rpc } = await bench.start({ registryAddress: undefined })
    await expect(rpc.request('prover_prove', await chain.request(1, 2))).rejects.toMatchObject({
      rpcCode: -32000,
      message: expect.stringMatching(message),
    })
  })

  it.each([33, 64, 66])(
    'given a signer key of %i bytes, when asked for, then it is refused',
    async (length) => {
      const publicKey = new Uint8Array(length).fill(4)
      bench.enclaves[0]!.reactions.SignerPublicKey = { kind: 'SignerPublicKey', publicKey }
      const { rpc } = await bench.start({ registryAddress: undefined })
      await expect(rpc.request('enclave_signerPublicKey', [])).rejects.toMatchObject({
        rpcCode: -32010,
        message:
          'enclave_signerPublicKey: invalid signer public key: expected 65-byte uncompressed SEC1 key',
      })
    },
  )
})

describe('what a peer sends, as a real enclave server sees it', () => {
  let enclave: LocalEnclave
  let stream: Duplex

  beforeEach(async () => {
    const { clock } = bench
    enclave = await localEnclave({ clock, chains: chain.chain.chains })
    stream = await connect(parseEndpoint(enclave.endpoint), { clock })
  })
  afterEach(async () => {
    stream.destroy()
    await enclave.stop()
  })

  /** What comes until the other side closes. */
  const rest = async () => Buffer.concat(await stream.toArray())

  it.each([
    ['an unknown kind', [0, 0, 0, 1, 0xee]],
    ['a length above the cap', [0xff, 0xff, 0xff, 0xff]],
    ['garbage', [0, 0, 0, 5, 9, 2, 3, 4, 5]],
  ])(
    'given a frame with %s, when sent, then the connection closes without an answer',
    async (_, bytes) => {
      stream.write(Uint8Array.from(bytes))
      expect(await rest()).toHaveLength(0)
      expect(enclave.logged).toEqual(['booted', 'dropped'])
    },
  )

  it('given half a frame, when its sender closes, then it is dropped and the next connection is served', async () => {
    stream.write(Uint8Array.of(0, 0, 0, 9, 1))
    stream.end()
    expect(await rest()).toHaveLength(0)
    const { rpc } = await bench.start({
      registryAddress: undefined,
      endpoints: new Map([[16, enclave.endpoint]]),
    })
    expect(await rpc.request('enclave_signerPublicKey', [])).toMatchObject([{ length: 65 }])
  })

  it('given a second request on a connection, when the first is answered, then it closes and the second is not served (ENC-PROTO-03)', async () => {
    await writeFrame(stream, KEY)
    await writeFrame(stream, KEY)
    const answer = decodeResponse(await readFrame(stream, { clock: bench.clock }))
    expect(answer.kind).toBe('SignerPublicKey')
    expect(await rest()).toHaveLength(0)
  })

  it('given a sender that stalls in a frame, when 300 s have passed and not 299, then it is dropped (LIM-06)', async () => {
    stream.write(Uint8Array.of(0, 0, 0, 9, 1))
    // Whatever was written is at the enclave once a later connection has its answer.
    const later = await connect(parseEndpoint(enclave.endpoint), { clock: bench.clock })
    await writeFrame(later, KEY)
    await readFrame(later, { clock: bench.clock })
    later.destroy()
    const ended = once(stream.resume(), 'end')
    await bench.clock.advance(299_999)
    expect(enclave.logged).not.toContain('dropped')
    await bench.clock.advance(1)
    await ended
    expect(enclave.logged).toContain('dropped')
  })

  it('given a witness far above 28 KiB, when proven over the socket, then it arrives whole and the proof is good (LIM-07)', async () => {
    const { rpc } = await bench.start({
      registryAddress: undefined,
      endpoints: new Map([[16, enclave.endpoint]]),
    })
    const params = await chain.request(1, 4)
    expect(await rpc.request('prover_prove', params)).toMatchObject({
      Tee: {
        aggregate_proposal: {
          output_root: params[0].claimed_l2_output_root,
          l2_block_number: 4,
        },
        proposals: { length: 4 },
      },
    })
    const { bytes } = bench.logged.find(({ msg }) => msg === 'proving') as { bytes: number }
    expect(bytes).toBeGreaterThan(2 * 28 * 1024)
  })
})
