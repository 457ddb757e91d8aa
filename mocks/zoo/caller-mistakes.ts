import type { Mistake } from '#mocks/callers/make-mistake'
import type { Mutant } from './mutant.ts'

/** A change of one text in one file of the caller. */
export const instead = (file: string, from: string, to: string): Mutant['apply'] => {
  const mistake: Mistake = { file, from, to }
  return () => ({ mistake })
}

/**
 * A text, in the source of a caller, that is what `fresh` was the first time: the process is started again, so what
 * it keeps is on its disk.
 * @param file its name, as an expression
 */
export const keptIn = (file: string, fresh: string): string => `await (async () => {
    const { existsSync, readFileSync, writeFileSync } = await import('node:fs')
    if (!existsSync(${file})) writeFileSync(${file}, ${fresh})
    return readFileSync(${file}, 'utf8') as Hex
  })()`

/** A promise, in the source of a caller, that nothing comes of. Keeps its process alive, too. */
export const NEVER =
  "new Promise<never>(() => void import('node:net').then(({ createServer }) => createServer().listen(0)))"
