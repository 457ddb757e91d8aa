import { join } from 'node:path'
import { makeFolder } from '#devnet/base/process/make-folder'
import { commitsBetween } from './builds.ts'
import { replaceFile } from './corpus-files.ts'
import { type CorpusDescription, describeCorpus } from './describe-corpus.ts'
import type { Failure } from './failure.ts'
import { toCorpusHtml } from './to-corpus-html.ts'

/** Writes found.html and found.json: what was found, since when, and by whom it was mended. */
export function writeCorpusPage(folder: string, failures: readonly Failure[]): CorpusDescription {
  const described = describeCorpus(failures, commitsBetween)
  makeFolder(folder)
  replaceFile(join(folder, 'found.json'), `${JSON.stringify(described, null, 2)}\n`)
  replaceFile(join(folder, 'found.html'), toCorpusHtml(described))
  return described
}
