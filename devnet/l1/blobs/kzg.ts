import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { KeptPoints } from './kept-points.ts'
import type { KzgAnswer, KzgRequest } from './kzg-worker.ts'

/** Points kept: what a batcher commits to, followers and provers ask for again soon. */
const MAX_KEPT = 512

/** Beside this file: TypeScript in a checkout, JavaScript in the package. */
const SOURCE = new URL('./kzg-worker.ts', import.meta.url)
const ENTRY = import.meta.url.endsWith('.ts') ? SOURCE : new URL(SOURCE.href.replace(/ts$/, 'js'))

/** KZG commitments to blobs (EIP-4844), and their proofs; 48 bytes each. */
export interface Kzg extends OwnedResource {
  /** blob_to_kzg_commitment. @throws BLOB_MALFORMED, KZG_FAILED; the signal's reason */
  commit(blob: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>
  /** compute_blob_kzg_proof. @throws BLOB_MALFORMED, KZG_FAILED; the signal's reason */
  prove(blob: Uint8Array, commitment: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>
}

/**
 * A full blob takes some 0.3 s of curve arithmetic each for commitment and proof: far too long
 * beside flashblocks, so a thread of its own does it, started when it is first needed.
 *
 * @param shared what other processes have worked out already, and will find of this one
 */
export function createKzg(shared?: KeptPoints): Kzg {
  const kept = new Map<string, Promise<Uint8Array>>()
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>()
  let thread: Worker | undefined
  let stopped = false
  let id = 0

  function start(): Worker {
    const worker = new Worker(ENTRY, { execArgv: [] })
    const fail = (cause: unknown) => {
      // One that failed ends after that, when another may be at work.
      if (thread !== worker) return
      thread = undefined
      for (const { reject } of waiting.values()) reject(kzgFailed(cause))
      waiting.clear()
    }
    worker.on('message', (answer: KzgAnswer) => {
      const caller = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('error' in answer) caller?.reject(blobMalformed(answer.error))
      else caller?.resolve(answer.point)
    })
    worker.on('error', fail)
    worker.on('exit', () => fail('the thread has ended'))
    return worker
  }

  function ask(request: Omit<KzgRequest, 'id'>): Promise<Uint8Array> {
    if (stopped) return Promise.reject(kzgFailed('it was stopped'))
    const answer = Promise.withResolvers<Uint8Array>()
    id += 1
    waiting.set(id, answer)
    thread ??= start()
    thread.postMessage({ ...request, id } satisfies KzgRequest)
    return answer.promise
  }

  /** Each point once. A failure is not kept. */
  function once(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = kept.get(key)
    if (known) return known
    const found = shared?.read(key)
    const point = found ? Promise.resolve(found) : make()
    kept.set(key, point)
    if (!found) point.then((made) => shared?.write(key, made)).catch(() => {})
    point.catch(() => kept.delete(key))
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
    return point
  }

  return {
    commit: (blob, signal) =>
      orAborted(
        once(`commitment ${digest(blob)}`, () => ask({ blob })),
        signal,
      ),
    prove: (blob, commitment, signal) =>
      orAborted(
        once(`proof ${digest(blob)}`, () => ask({ blob, commitment })),
        signal,
      ),
    async stop() {
      stopped = true
      await thread?.terminate()
    },
  }
}

/** Others may wait for the same point: it is only this caller that leaves. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

function digest(blob: Uint8Array): string {
  return createHash('sha256').update(blob).digest('hex')
}

function kzgFailed(cause: unknown): RollbedError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new RollbedError('KZG_FAILED', `The thread that commits to blobs fails: ${why}.`, {
    hint: 'A devnet that is being stopped may say so; else free memory, or report it.',
  })
}

function blobMalformed(why: string): RollbedError {
  return new RollbedError('BLOB_MALFORMED', `These bytes are no blob: ${why}.`, {
    hint: 'A blob has 4096 field elements of 32 bytes, each below the BLS modulus (EIP-4844).',
  })
}
