import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import seed from './longest-first.json' with { type: 'json' }

/** Seconds of the files that take longest, for a machine that never ran them. */
const SEED: Readonly<Record<string, number>> = seed

/**
 * Begins with what failed last, then with what takes longest: a long file that is begun last would keep one worker
 * busy while the others idle. How long a file takes is what vitest remembers of its last run here.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = new Map(files.map((file) => [file, this.#rank(file)]))
    const bySize = await super.sort(files)
    return bySize.toSorted((a, b) => rank.get(b)! - rank.get(a)!)
  }

  #rank(file: TestSpecification): number {
    const { config } = file.project
    // A worker with modules of its own is not used again.
    if (config.isolate) return Number.POSITIVE_INFINITY
    const last = this.ctx.cache.getTestSpecificationResult(file)
    if (last?.failed) return Number.MAX_VALUE
    return last ? last.duration / 1_000 : (SEED[relative(config.root, file.moduleId)] ?? 0)
  }
}
