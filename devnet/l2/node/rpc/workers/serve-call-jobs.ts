import { parentPort, workerData } from 'node:worker_threads'
import { createExecutor } from '#protocol/execution/create-executor'
import type { Hash } from '#protocol/types/bytes'
import type { SimulationContext } from '../simulate/run-simulation.ts'
import { SimulatedBlockWriter } from '../simulate/simulated-block-writer.ts'
import { KeptReplays } from '../traces/kept-replays.ts'
import type { TraceContext } from '../traces/trace-block.ts'
import { CALL_JOBS, type Job } from './call-jobs.ts'
import { fromFailure, toFailure } from './failure.ts'
import { giveWay } from './give-way.ts'
import type { Answer, FromWorker, Question, ToWorker, WorkerSetup } from './messages.ts'
import { RemoteState } from './remote-state.ts'

/** What a worker thread does: it runs one job at a time on an executor of its own. */
const port = parentPort!
const { config, isFork, hold } = workerData as WorkerSetup
const asking = new Map<number, PromiseWithResolvers<Answer>>()
let asked = 0

const send = (message: FromWorker) => port.postMessage(message)

function ask(question: Question): Promise<Answer> {
  const id = asked++
  const waiting = Promise.withResolvers<Answer>()
  asking.set(id, waiting)
  send({ type: 'ask', id, question })
  return waiting.promise
}

const context: TraceContext & SimulationContext = {
  executor: await createExecutor(config),
  store: new RemoteState((value) => ask({ value }) as Promise<Uint8Array | undefined>, { isFork }),
  blockHash: (number) => ask({ blockHash: number }) as Promise<Hash | undefined>,
  replays: new KeptReplays(),
  writer: new SimulatedBlockWriter(),
}
/** A job is given up by ending its thread. */
const never = new AbortController().signal

async function run({ kind, request }: Job): Promise<void> {
  try {
    const result = await CALL_JOBS[kind](context, request as never, never)
    send({ type: 'done', result })
  } catch (error) {
    send({ type: 'failed', failure: toFailure(error) })
  }
}

port.on('message', (message: ToWorker) => {
  if (message.type === 'run') {
    giveWay()
    Atomics.wait(hold, 0, 1)
    void run(message.job)
    return
  }
  const waiting = asking.get(message.id)
  asking.delete(message.id)
  if (message.type === 'answer') waiting?.resolve(message.answer)
  else waiting?.reject(fromFailure(message.failure))
})
send({ type: 'ready' })
