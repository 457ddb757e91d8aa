import { parentPort } from 'node:worker_threads'
import { KZG } from 'micro-eth-signer/kzg.js'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { trustedSetup } from './trusted-setup.ts'

/** What is asked of the thread: a commitment, or with one its proof. */
export interface KzgRequest {
  id: number
  blob: Uint8Array
  commitment?: Uint8Array
}

/** 48 bytes. */
export type KzgAnswer = { id: number; point: Uint8Array } | { id: number; error: string }

/** The thread's entry: commits to blobs and proves them, one after the other. */
const port = parentPort!
let kzg: KZG | undefined

port.on('message', ({ id, blob, commitment }: KzgRequest) => {
  // Should this fail, the thread ends: not the blob is to blame.
  kzg ??= new KZG(trustedSetup())
  try {
    const hex = bytesToHex(blob)
    const point = commitment
      ? kzg.computeBlobProof(hex, bytesToHex(commitment))
      : kzg.blobToKzgCommitment(hex)
    port.postMessage({ id, point: hexToBytes(point as `0x${string}`) } satisfies KzgAnswer)
  } catch (error) {
    port.postMessage({ id, error: (error as Error).message } satisfies KzgAnswer)
  }
})
