/** One thing that a release does, as a command at the root of the project. */
export interface ReleaseStep {
  name: string
  /** What it shows, for who waits. */
  shows: string
  /** Without `npm`. */
  npm: readonly string[]
}

/** What CONTRIBUTING says of a release, soonest told first; nothing is published before all the rest. */
export const RELEASE_STEPS: readonly ReleaseStep[] = [
  { name: 'test', shows: 'types, lint and all tests', npm: ['test'] },
  { name: 'lanes', shows: 'what is right beside heavy packages', npm: ['run', 'lanes'] },
  {
    name: 'newest',
    shows: 'that it stands beside the oldest and newest of others',
    npm: ['run', 'newest'],
  },
  { name: 'pages', shows: 'that pages do what they say', npm: ['run', 'pages'] },
  {
    name: 'planted-bugs',
    shows: 'that the swarm finds what was put in',
    npm: ['run', 'planted-bugs'],
  },
  {
    name: 'protocol-mutants',
    shows: 'that it notices what a machine changes in the protocol',
    npm: ['run', 'protocol-mutants', '--', '--draw', '60', '--seed', '27', '--least', '0.7'],
  },
  {
    name: 'two-nodes',
    shows: 'that a world is the same on another Node, byte for byte',
    npm: ['run', 'two-nodes'],
  },
  { name: 'torn', shows: 'that no damaged folder starts wrong', npm: ['run', 'torn'] },
  { name: 'kills', shows: 'that a hundred kills lose nothing', npm: ['run', 'kills'] },
  { name: 'chaos', shows: 'that attacks in their long form change nothing', npm: ['run', 'chaos'] },
  {
    name: 'orders-alone',
    shows: 'that each case of the gate passes alone',
    npm: ['run', 'gate-orders', '--', 'alone'],
  },
  {
    name: 'orders-random',
    shows: 'that cases pass in random orders',
    npm: ['run', 'gate-orders', '--', 'random', '100'],
  },
  {
    name: 'orders-shards',
    shows: 'that cases pass in shards',
    npm: ['run', 'gate-orders', '--', 'shards', '5'],
  },
  { name: 'mutants', shows: 'that the gate notices each mutant', npm: ['run', 'mutants'] },
  {
    name: 'shapes',
    shows: 'that it notices mutants made from shapes',
    npm: ['run', 'mutants', '--', '--shapes', '--sample', '60', '--seed', '25'],
  },
  { name: 'stryker', shows: 'that unit tests notice mutants of ours', npm: ['run', 'stryker'] },
  {
    name: 'publish',
    shows: 'the package, with a signed statement of its origin',
    npm: ['publish', '--provenance', '--access', 'public'],
  },
]

/**
 * The steps that a command line asks for, in the order of a release.
 *
 * @param only names; all of them where it is undefined
 * @param from where to go on after one that failed
 * @throws Error which says what a step may be called
 */
export function chooseSteps({
  only,
  from,
}: {
  only?: readonly string[] | undefined
  from?: string | undefined
}): readonly ReleaseStep[] {
  const names = RELEASE_STEPS.map(({ name }) => name)
  const unknown = [...(only ?? []), ...(from ? [from] : [])].find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new Error(`A release has no step '${unknown}': there are ${names.join(', ')}.`)
  }
  const first = from ? names.indexOf(from) : 0
  return RELEASE_STEPS.slice(first).filter(({ name }) => !only || only.includes(name))
}

/** What is done with the steps; `run` gives whether one passed. */
export interface ReleaseRun {
  run: (step: ReleaseStep) => boolean
  say: (line: string) => void
  /** Milliseconds. */
  now: () => number
}

/** Runs steps until one fails, and says before and after each which it is. @returns whether all passed */
export function playSteps(steps: readonly ReleaseStep[], { run, say, now }: ReleaseRun): boolean {
  for (const [index, step] of steps.entries()) {
    const place = `[${index + 1}/${steps.length}] ${step.name}`
    say(`${place}: ${step.shows}`)
    const begun = now()
    const hasPassed = run(step)
    const seconds = Math.round((now() - begun) / 1000)
    say(`${place}: ${hasPassed ? 'passed' : 'FAILED'} after ${seconds} s`)
    if (!hasPassed) {
      say(`When it is mended: npm run release -- --from ${step.name}`)
      return false
    }
  }
  return true
}
