import { UsageError } from './usage-error.ts'

/** Reads a corpus; where a folder holds none, the command line is wrong. @throws UsageError */
export function readingCorpus<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotACorpus') throw error
    throw new UsageError(
      error.message,
      "A corpus is a folder that 'rollbed fault farm --corpus' has written.",
    )
  }
}
