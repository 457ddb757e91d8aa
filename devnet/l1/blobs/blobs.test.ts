import { createHash } from 'node:crypto'
import { hexToBytes } from '@ethereumjs/util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { batchInbox, l1ChainId } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { verifyBlobProofs } from '#protocol/crypto/kzg'
import { encodeBlob } from '#protocol/derivation/blob-encoding'
import { toVersionedHash } from '#protocol/oracle/blob-preimages'
import type { BlobSidecar } from '#protocol/oracle/preimage-oracle'
import { signBlobTransaction } from '../sign-blob-transaction.ts'
import { type L1, startL1 } from '../start-l1.ts'
import { beaconClient } from './beacon-client.ts'
import { type BlobSource, blobSource } from './blob-source.ts'
import { createKzg, type Kzg } from './kzg.ts'

let l1: L1
let kzg: Kzg
let blobs: BlobSource
let first: BlobSidecar

/** anvil verifies blobs with c-kzg: it takes only what is right. */
beforeAll(async () => {
  const clock = new VirtualClock()
  l1 = await startL1({ clock, genesisTime: clock.now() / 1000, blockTime: 0 })
  kzg = createKzg()
  blobs = blobSource(beaconClient(l1.beaconUrl), kzg)
  first = await sidecar(Uint8Array.of(1, 2, 3))
})
afterAll(() => Promise.all([l1.stop(), kzg.stop()]))

test('given a blob of zeros, its commitment and proof are the point at infinity (EIP-4844)', async () => {
  const { commitment, proof } = await sidecar(undefined)
  const infinity = hexToBytes(`0xc0${'00'.repeat(47)}`)
  expect([commitment, proof]).toEqual([infinity, infinity])
  // EIP-4844: kzg_to_versioned_hash.
  const hash = createHash('sha256').update(infinity).digest('hex')
  expect(toVersionedHash(commitment)).toBe(`0x01${hash.slice(2)}`)
})

test('given blobs sent to L1, it takes them, and the beacon API gives them back, early and late, and others are never believed', async () => {
  const second = await sidecar(Uint8Array.from({ length: 300 }, (_, i) => i))
  const { raw, hash } = sign([first, second])
  const rpc = httpRpcClient(l1.rpcUrl)
  expect(await rpc.request('eth_sendRawTransaction', [raw])).toBe(hash)
  const block = await l1.mine()
  const where = { number: block.number, timestamp: BigInt(block.timestamp) }
  for (const expected of [second, first]) {
    const found = await blobs.sidecar(toVersionedHash(expected.commitment), where)
    expect(found.blob.every((byte, i) => byte === expected.blob[i])).toBe(true)
    expect([found.commitment, found.proof]).toEqual([expected.commitment, expected.proof])
  }
  const hashOfFirst = toVersionedHash(first.commitment)
  /** Where the beacon API hands out other blobs for a while. */
  const lied = async () => {
    const end = l1.lieAboutBlobs()
    await expect(blobs.blob(hashOfFirst, where)).rejects.toMatchObject({ code: 'BLOB_MISMATCH' })
    end()
  }
  await lied()
  for (let newer = 0; newer < 260; newer++) await l1.mine()
  await lied()
  const forgotten = await blobs.blob(hashOfFirst, where)
  expect(forgotten.every((byte, i) => byte === first.blob[i])).toBe(true)
  const nowhere = toVersionedHash(new Uint8Array(48))
  await expect(blobs.blob(nowhere, where)).rejects.toMatchObject({ code: 'BLOB_UNAVAILABLE' })
})

test('given a proof of another blob, L1 refuses the transaction', async () => {
  const other = await sidecar(Uint8Array.of(9))
  const { raw } = sign([{ ...first, proof: other.proof }], 1)
  const sent = httpRpcClient(l1.rpcUrl).request('eth_sendRawTransaction', [raw])
  await expect(sent).rejects.toMatchObject({ code: 'RPC_REFUSED' })
})

test('given a blob with its proof, it verifies; changed in one bit anywhere, it does not (OPEN-66…68)', () => {
  const flipped = (bytes: Uint8Array, at: number) =>
    Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 1 : byte))
  const { blob, commitment, proof } = first
  const verifies = (changed: Partial<BlobSidecar>) => verifyBlobProofs([{ ...first, ...changed }])
  expect(verifies({})).toBe(true)
  expect(verifies({ blob: flipped(blob, 6) })).toBe(false)
  expect(verifies({ blob: flipped(blob, 131_071) })).toBe(false)
  expect(verifies({ commitment: flipped(commitment, 47) })).toBe(false)
  expect(verifies({ proof: flipped(proof, 47) })).toBe(false)
  expect(verifies({ blob: blob.subarray(32) })).toBe(false)
  expect(verifies({ blob: Uint8Array.from(blob).fill(0xff, 0, 32) })).toBe(false)
})

async function sidecar(data: Uint8Array | undefined): Promise<BlobSidecar> {
  const blob = data ? encodeBlob(data) : new Uint8Array(131_072)
  const commitment = await kzg.commit(blob)
  return { blob, commitment, proof: await kzg.prove(blob, commitment) }
}

function sign(sidecars: BlobSidecar[], nonce = 0) {
  return signBlobTransaction(
    {
      ...{ chainId: l1ChainId, nonce, to: batchInbox, gas: 21_000n, sidecars },
      ...{ maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n, maxFeePerBlobGas: 10n ** 9n },
    },
    roleKeys.batcher.privateKey,
  )
}
