import { UsageError } from './usage-error.ts'

export interface Shard {
  index: number
  of: number
}

/**
 * Which part of a whole is played here.
 * @param flag `i/n`, with i from 0; it goes before the environment
 * @param environment of a Kubernetes Indexed Job: JOB_COMPLETION_INDEX, which Kubernetes sets, and
 *   JOB_COMPLETIONS, which the manifest sets
 * @throws UsageError
 */
export function shardOf(
  flag: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Shard {
  const { JOB_COMPLETION_INDEX: ours, JOB_COMPLETIONS: all } = environment
  if (flag === undefined && ours === undefined) return { index: 0, of: 1 }
  const text = flag ?? `${ours}/${all}`
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []
  if (index === undefined || Number(index) >= Number(of)) {
    throw new UsageError(
      `'${text}' is no shard.`,
      'Say --shard 0/4 to 3/4, or set JOB_COMPLETION_INDEX and JOB_COMPLETIONS.',
    )
  }
  return { index: Number(index), of: Number(of) }
}
