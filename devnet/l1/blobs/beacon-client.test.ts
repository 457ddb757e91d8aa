import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesToHex } from '@ethereumjs/util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toVersionedHash } from '#protocol/oracle/blob-preimages'
import { type BeaconClient, beaconClient } from './beacon-client.ts'
import { blobSource } from './blob-source.ts'
import { createKzg } from './kzg.ts'

const COMMITMENT = new Uint8Array(48).fill(0xc1)
const HASH = toVersionedHash(COMMITMENT)
const BLOCK = { number: 77n, timestamp: 1_700_000_120n }
const BLOB = bytesToHex(new Uint8Array(131_072).fill(1))

let server: Server
let beacon: BeaconClient
/** Answers by path without its query; a number is an HTTP status, nothing a 404. */
let answers: Record<string, unknown>
let asked: string[]

beforeEach(async () => {
  answers = {}
  asked = []
  server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const answer = answers[url.split('?')[0]!] ?? 404
    if (answer === 'nothing') return
    response.statusCode = typeof answer === 'number' ? answer : 200
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  beacon = beaconClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (signal?: AbortSignal) => beacon.blob(HASH, BLOCK, signal)

describe('given a node without slots', () => {
  test('when it has the blob, it is asked for by block number and hash', async () => {
    answers['/eth/v1/beacon/blobs/77'] = { data: [BLOB] }
    expect(bytesToHex(await ask())).toBe(BLOB)
    expect(asked.at(-1)).toBe(`/eth/v1/beacon/blobs/77?versioned_hashes=${HASH}`)
  })

  test('when it knows sidecars only, the blob is that with the commitment', async () => {
    const other = { kzg_commitment: `0x${'c2'.repeat(48)}`, blob: '0x02' }
    const sidecar = { kzg_commitment: bytesToHex(COMMITMENT), blob: BLOB }
    answers['/eth/v1/beacon/blob_sidecars/77'] = { data: [other, 7, sidecar] }
    expect(bytesToHex(await ask())).toBe(BLOB)
  })
})

test('given a node with slots, the one of the timestamp is asked for; when slots are is asked once', async () => {
  answers['/eth/v1/config/spec'] = { data: { SECONDS_PER_SLOT: '12' } }
  answers['/eth/v1/beacon/genesis'] = { data: { genesis_time: '1700000000' } }
  answers['/eth/v1/beacon/blobs/10'] = { data: [BLOB] }
  await ask()
  await ask()
  expect(asked.filter((path) => path.includes('spec'))).toHaveLength(1)
})

test.each<[string, string, Record<string, unknown>]>([
  ['nothing', 'BLOB_UNAVAILABLE', {}],
  ['an empty list', 'BLOB_UNAVAILABLE', { '/eth/v1/beacon/blobs/77': { data: [] } }],
  ['a number for a blob', 'BLOB_UNAVAILABLE', { '/eth/v1/beacon/blobs/77': { data: [7] } }],
  ['half a byte', 'BLOB_UNAVAILABLE', { '/eth/v1/beacon/blobs/77': { data: ['0x012'] } }],
  ['null', 'BLOB_UNAVAILABLE', { '/eth/v1/beacon/blobs/77': null }],
  ['an internal error', 'BEACON_UNREACHABLE', { '/eth/v1/beacon/blobs/77': 500 }],
  ['too many requests', 'BEACON_UNREACHABLE', { '/eth/v1/beacon/blobs/77': 429 }],
  ['no JSON', 'BEACON_UNREACHABLE', { '/eth/v1/beacon/blobs/77': '<html>' }],
  [
    'slots of no length',
    'BEACON_UNREACHABLE',
    { '/eth/v1/config/spec': { data: { SECONDS_PER_SLOT: '0' } } },
  ],
  [
    'no genesis',
    'BEACON_UNREACHABLE',
    { '/eth/v1/config/spec': { data: { SECONDS_PER_SLOT: '12' } } },
  ],
])(
  'given a node that answers %s, then the error is %s, with a hint',
  async (_name, code, given) => {
    answers = given
    await expect(ask()).rejects.toMatchObject({ code, hint: expect.any(String) })
  },
)

test('given no node, then the error names where it should be and why there is none', async () => {
  const nobody = beaconClient('http://127.0.0.1:1/secret-key')
  await expect(nobody.blob(HASH, BLOCK)).rejects.toMatchObject({
    code: 'BEACON_UNREACHABLE',
    message: expect.stringMatching(/at http:\/\/127\.0\.0\.1:1: (?!.*secret)/),
  })
})

test('given a node that falls silent, when the caller leaves, then its reason comes', async () => {
  answers['/eth/v1/beacon/blobs/77'] = 'nothing'
  const caller = new AbortController()
  const left = expect(ask(caller.signal)).rejects.toThrow('I am off')
  server.on('request', ({ url = '' }) => {
    if (url.includes('/blobs/')) caller.abort(new Error('I am off'))
  })
  await left
})

test.each([
  ['another blob', BLOB],
  ['too short', '0x00'],
  ['of elements beyond the modulus', bytesToHex(new Uint8Array(131_072).fill(0xff))],
])(
  'given a node that lies with a blob that is %s, then it is not believed',
  async (_name, blob) => {
    answers['/eth/v1/beacon/blobs/77'] = { data: [blob] }
    const kzg = createKzg()
    try {
      await expect(blobSource(beacon, kzg).blob(HASH, BLOCK)).rejects.toMatchObject({
        code: 'BLOB_MISMATCH',
        hint: expect.any(String),
      })
    } finally {
      await kzg.stop()
    }
  },
)
