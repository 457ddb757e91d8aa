import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { RollbedError } from '../../../enclave-sim/errors/rollbed-error.ts'
import type { OwnedResource } from '../../process/owned-resource.ts'
import type { KzgAnswer, KzgRequest } from './kzg-worker.ts'

/** Points kept: what a batcher commits to, followers and provers ask for again soon. */
const MAX_KEPT = 512

/** Beside this file: TypeScript in a checkout, JavaScript in the package. */
const SOURCE = new URL('./kzg-worker.ts', import.meta.url)
const ENTRY = import.meta.url.endsWith('.ts') ? SOURCE : new URL(SOURCE.href.replace(/ts$/, 'js'))

/** KZG commitments to blobs (EIP-4844), and their proofs; 48 bytes each. */
export interface Kzg extends OwnedResource {
  /** blob_to_kzg_commitment. @throws KZG_FAILED */
  commit(blob: Uint8Array): Promise<Uint8Array>
  /** compute_blob_kzg_proof. @throws KZG_FAILED */
  prove(blob: Uint8Array, commitment: Uint8Array): Promise<Uint8Array>
}

/**
 * A full blob takes some 0.3 s of curve arithmetic each for commitment and proof: far too long
 * beside flashblocks, so a thread of its own does it, started when it is first needed.
 */
export function createKzg(): Kzg {
  const kept = new Map<string, Promise<Uint8Array>>()
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>()
  let thread: Worker | undefined
  let stopped = false
  let id = 0

  function start(): Worker {
    const worker = new Worker(ENTRY, { execArgv: [] })
    const fail = (cause: unknown) => {
      thread = undefined
      for (const { reject } of waiting.values()) reject(kzgFailed(cause))
      waiting.clear()
    }
    worker.on('message', (answer: KzgAnswer) => {
      const caller = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('error' in answer) caller?.reject(kzgFailed(answer.error))
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
    const point = make()
    kept.set(key, point)
    point.catch(() => kept.delete(key))
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
    return point
  }

  return {
    commit: (blob) => once(`commitment ${digest(blob)}`, () => ask({ blob })),
    prove: (blob, commitment) => once(`proof ${digest(blob)}`, () => ask({ blob, commitment })),
    async stop() {
      stopped = true
      await thread?.terminate()
    },
  }
}

function digest(blob: Uint8Array): string {
  return createHash('sha256').update(blob).digest('hex')
}

function kzgFailed(cause: unknown): RollbedError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new RollbedError('KZG_FAILED', `The blob cannot be committed to: ${why}.`)
}
