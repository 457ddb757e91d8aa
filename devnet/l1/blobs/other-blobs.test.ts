import { expect, test } from 'vitest'
import { BLOB_SIZE } from '#protocol/derivation/blob-encoding'
import { otherBlobs } from './other-blobs.ts'

const blob = `0x${'01'.repeat(BLOB_SIZE)}`
const other = `0x${'01'.repeat(31)}00${'01'.repeat(BLOB_SIZE - 32)}`

test.each([
  ['blobs', { data: [blob, blob] }, { data: [other, other] }],
  ['sidecars', { data: [{ index: '0', blob }] }, { data: [{ index: '0', blob: other }] }],
  ['an error', { code: 404, message: 'none' }, { code: 404, message: 'none' }],
])('given an answer with %s, then one bit of each blob is another', (_, answer, expected) => {
  expect(JSON.parse(otherBlobs(JSON.stringify(answer))) as unknown).toEqual(expected)
})
