import type { Mutation } from './mutation.ts'

/** The name under which a process knows that it came to the changed place. */
const REACHED = 'rollbedMutantReached'

/** Whether this process came to the place that was changed in it. */
export function isReached(): boolean {
  return Reflect.get(globalThis, REACHED) === true
}

/**
 * A file with the change in it, which tells when it is come to.
 * @throws Error where the file is no longer the one that was changed
 */
export function mutatedSource(text: string, { id, start, end, from, to, kind }: Mutation): string {
  // A mutant that is none would survive, or be found for nothing.
  if (text.slice(start, end) !== from) throw new Error(`${id} is of another text.`)
  const reached = `globalThis.${REACHED} = true`
  const instead = kind === 'dropped' ? `${reached};` : `(${reached}, ${to})`
  return text.slice(0, start) + instead + text.slice(end)
}
