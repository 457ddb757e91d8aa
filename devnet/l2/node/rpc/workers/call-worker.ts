import { setPriority } from 'node:os'

/** The worker thread's entry. A third of the share of CPU time that the node's own thread has. */
const NICENESS = 5

// Linux counts niceness by thread, so that flashblocks come first even where cores are few; elsewhere
// it would be that of the whole process. First of all, because loading is work too, and a thread whose
// job took too long is started anew.
if (process.platform === 'linux') setPriority(NICENESS)
await import('./serve-call-jobs.ts')
