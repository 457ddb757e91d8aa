import { buildOf } from './builds.ts'
import { Corpus } from './corpus.ts'
import { readCorpus, writeCorpus } from './corpus-files.ts'
import type { Failure } from './failure.ts'

export interface OpenCorpusOptions {
  body: Failure['body']
  /** Whose file is written: of this part of a swarm. */
  shard: { index: number; of: number }
  /** What is played. Default: the commit of this checkout, or the version. */
  build?: string | undefined
  now(): string
}

/**
 * Opens the corpus of a folder: what is found is written at once, so that a part of a farm can be ended at
 * any time. Each part writes a file of its own.
 * @throws NotACorpus
 */
export function openCorpus(
  folder: string,
  { body, shard, build = buildOf(), now }: OpenCorpusOptions,
): Corpus {
  return new Corpus({
    ...{ failures: readCorpus(folder), body, build, now },
    changed: (failures) => writeCorpus(folder, failures, shard),
  })
}
