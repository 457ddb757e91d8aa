import type { Mistake } from '#mocks/callers/make-mistake'
import type { Mutant } from './mutant.ts'

/** A change of one text in one file of the caller. */
export const instead = (file: string, from: string, to: string): Mutant['apply'] => {
  const mistake: Mistake = { file, from, to }
  return () => ({ mistake })
}

/** A promise, in the source of a caller, that nothing comes of. Keeps its process alive, too. */
export const NEVER =
  "new Promise<never>(() => void import('node:net').then(({ createServer }) => createServer().listen(0)))"
