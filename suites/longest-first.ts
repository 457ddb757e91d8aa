import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest: one of them begun last would keep one worker busy while the others idle. */
export const LONGEST = [
  'suites/weather/stories/stories.test.ts',
  'suites/weather/swarm/swarm.test.ts',
  'suites/system/end-to-end/conform.test.ts',
  'suites/system/end-to-end/blobs.test.ts',
  'suites/weather/planted-bugs/planted-bugs.test.ts',
  'suites/system/end-to-end/withdrawal.test.ts',
  'suites/clients/explorer/explorer.test.ts',
  'suites/prover/scenarios/random-kills.test.ts',
  'suites/system/kept-devnet/killed.test.ts',
  'suites/gate/callers/callers.test.ts',
  'suites/gate/report-page/report-page.test.ts',
  'devnet/l2/node/rpc/workers/worker-call-runner.test.ts',
  'suites/house/docs/site.test.ts',
  'devnet/l1/contracts/compile.test.ts',
  'suites/system/chaos/killed-parent.test.ts',
  'suites/system/chaos/dead-parts.test.ts',
  'suites/system/derivation/anvil-reorg.test.ts',
  'devnet/l1/blobs/blobs.test.ts',
  'suites/prover/scenarios/play-game-life.test.ts',
]

/** Vitest's order, by size, after the files of which more is known. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // These are first as it is: a worker with modules of its own is not used again.
    const isolated = sorted.filter(({ project }) => project.config.isolate)
    const shared = sorted.filter(({ project }) => !project.config.isolate)
    return [...isolated, ...shared.toSorted((a, b) => rank(a) - rank(b))]
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`))
  return place < 0 ? LONGEST.length : place
}
