import { workerData } from 'node:worker_threads'
import { giveWay } from './give-way.ts'
import type { WorkerSetup } from './messages.ts'

/** The worker thread's entry. */
const { isAwaited } = workerData as WorkerSetup

// Loading is work too, and a thread whose job took too long is started anew. But while there is no other, somebody
// waits for it to be loaded: on a busy machine a third of a share is no share at all, and it took minutes.
if (!isAwaited) giveWay()
await import('./serve-call-jobs.ts')
