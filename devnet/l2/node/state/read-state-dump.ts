import { Worker } from 'node:worker_threads'
import type { Clock } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash } from '#protocol/types/bytes'
import type { DumpedValue } from './state-dump.ts'
import type { FromStateDump, StateDumpHead, StateDumpPiece } from './state-dump-worker.ts'

/** A dump that was found whole. */
export interface ReadStateDump extends StateDumpHead {
  /** Its values bit by bit, what they refer to first; each bit comes in a turn of its own. */
  pieces(): AsyncGenerator<readonly DumpedValue[], void>
}

/** Milliseconds from a question to the thread until its answer: a dump is read whole in the first. */
const TIME_LIMIT = 20_000
const MAX_HEAP_MEGABYTES = 768

/** Beside this file: TypeScript in a checkout, JavaScript in the package. */
const SOURCE = new URL('./state-dump-worker.ts', import.meta.url)
const ENTRY = import.meta.url.endsWith('.ts') ? SOURCE : new URL(SOURCE.href.replace(/ts$/, 'js'))

/**
 * Reads a dump that anybody may have made on a thread of its own: unpacking, parsing and hashing it takes
 * seconds, and more where somebody wants it to.
 *
 * @param hex a dump as 0x hex
 * @param use is given the dump; the thread lives until it is done
 * @param clock the machine's
 * @throws RollbedError STATE_DUMP_INVALID, STATE_DUMP_TOO_LARGE
 */
export async function readStateDump<T>(
  hex: string,
  use: (dump: ReadStateDump) => Promise<T>,
  clock: Clock,
): Promise<T> {
  const worker = new Worker(ENTRY, {
    workerData: hex,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES },
  })
  const answers = answersOf(worker, clock)
  try {
    const first = await answers.next()
    if (first.type === 'refused') {
      const { message, hint } = first.problem
      throw new RollbedError('STATE_DUMP_INVALID', message, { hint })
    }
    if (first.type !== 'head') throw new Error('a dump begins with its head')
    return await use({ ...first.head, pieces: () => piecesOf(worker, answers.next) })
  } finally {
    await worker.terminate()
  }
}

function answersOf(worker: Worker, clock: Clock) {
  let waiting = Promise.withResolvers<FromStateDump>()
  worker.on('message', (message: FromStateDump) => waiting.resolve(message))
  worker.on('error', (error) =>
    waiting.reject(
      lacksMemory(error) ? tooLarge('it needs more memory than there is for it') : error,
    ),
  )
  waiting.promise.catch(() => {})
  return {
    async next(): Promise<FromStateDump> {
      const late = tooLarge(`reading it took more than ${TIME_LIMIT / 1000} s`)
      const impatience = clock.after(TIME_LIMIT, () => waiting.reject(late))
      try {
        return await waiting.promise
      } finally {
        impatience.cancel()
        waiting = Promise.withResolvers()
        waiting.promise.catch(() => {})
      }
    },
  }
}

async function* piecesOf(
  worker: Worker,
  next: () => Promise<FromStateDump>,
): AsyncGenerator<readonly DumpedValue[], void> {
  for (;;) {
    worker.postMessage('more')
    const answer = await next()
    if (answer.type !== 'piece') return
    yield valuesOf(answer.piece)
    if (answer.piece.isLast) return
  }
}

function valuesOf({ values, ends, bytes }: StateDumpPiece): DumpedValue[] {
  return values.map(({ hash, kind }: { hash: Hash; kind: DumpedValue['kind'] }, index) => ({
    ...{ hash, kind },
    // Each for itself: one that stays must not keep all the others.
    value: bytes.slice(ends[index - 1] ?? 0, ends[index]),
  }))
}

/** Of the heap, or for one array or string that is too long for it. */
function lacksMemory(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError
}

function tooLarge(problem: string): RollbedError {
  return new RollbedError('STATE_DUMP_TOO_LARGE', `The state cannot be used: ${problem}.`, {
    hint: 'Begin from a smaller state: devnet/docs/state.md says how large one may be.',
  })
}
