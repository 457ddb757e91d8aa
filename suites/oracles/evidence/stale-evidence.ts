import { type Evidence, readEvidence } from './evidence.ts'
import { executorDigest } from './executor-digest.ts'

/** Whether the executor has changed since the record was made. */
export function isStale({ executor }: Evidence): boolean {
  return executor !== null && executor !== executorDigest()
}

/** Names of the records whose bodies are to be run again. */
export function staleEvidence(): string[] {
  return Object.entries(readEvidence())
    .filter(([, record]) => isStale(record))
    .map(([name]) => name)
}
