import { Worker } from 'node:worker_threads'
import { remotePlace } from '#protocol/execution/remote-key'
import type { ChainAccess, Job } from './call-jobs.ts'
import { fromFailure, toFailure } from './failure.ts'
import type { Answer, FromWorker, Question, ToWorker, WorkerSetup } from './messages.ts'
import { threadDied } from './thread-died.ts'
import type { PoolThread } from './worker-pool.ts'

/** A call may be mean to memory, too: then its thread ends, and not the node. */
const MAX_HEAP_MEGABYTES = 512
/** Of it for objects that live for one call; V8 would let them fill three times as much. */
const MAX_YOUNG_MEGABYTES = 48

/** Beside this file: TypeScript in a checkout, JavaScript in the package. */
const SOURCE = new URL('./call-worker.ts', import.meta.url)
const ENTRY = import.meta.url.endsWith('.ts') ? SOURCE : new URL(SOURCE.href.replace(/ts$/, 'js'))

/** One worker thread, and the chain it asks. */
export class CallThread implements PoolThread {
  readonly ready: Promise<void>
  readonly ended: Promise<Error>
  readonly #worker: Worker
  readonly #chain: ChainAccess
  /** Of the job that runs. */
  #asked: ChainAccess
  #settle: { resolve(result: unknown): void; reject(error: Error): void } | undefined

  constructor(chain: ChainAccess, options: Pick<WorkerSetup, 'hold' | 'isAwaited'>) {
    this.#chain = chain
    this.#asked = chain
    const { config, store } = chain
    const setup: WorkerSetup = { config, isFork: store.isFork ?? false, ...options }
    this.#worker = new Worker(ENTRY, {
      workerData: setup,
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES,
        maxYoungGenerationSizeMb: MAX_YOUNG_MEGABYTES,
      },
    })
    const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>()
    this.ready = ready
    this.#worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') becomeReady()
      else this.#receive(message)
    })
    this.ended = new Promise((resolve) => {
      this.#worker.on('error', ({ message }) => resolve(threadDied(message)))
      this.#worker.on('exit', () => resolve(threadDied('it was ended')))
    })
  }

  run({ kind, request, chain }: Job): Promise<unknown> {
    this.#asked = chain ?? this.#chain
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#send({ type: 'run', job: { kind, request } })
    })
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message)
  }

  #receive(message: Exclude<FromWorker, { type: 'ready' }>): void {
    switch (message.type) {
      case 'ask':
        this.#reply(message.id, message.question)
        return
      case 'done':
        this.#settle?.resolve(message.result)
        return
      case 'failed':
        this.#settle?.reject(fromFailure(message.failure))
    }
  }

  #reply(id: number, question: Question): void {
    const { store, blockHash } = this.#asked
    const answer = (value: Answer) => this.#send({ type: 'answer', id, answer: value })
    const refuse = (error: unknown) => this.#send({ type: 'refuse', id, failure: toFailure(error) })
    if ('blockHash' in question) {
      blockHash(question.blockHash).then(answer, refuse)
      return
    }
    const key = question.value
    const value = store.get(key)
    if (value || !store.isFork || !remotePlace(key)) {
      answer(value)
      return
    }
    // A thread that has ended meanwhile hears nothing.
    store.fetch!(key, 'node').then(() => answer(store.get(key)), refuse)
  }
}
