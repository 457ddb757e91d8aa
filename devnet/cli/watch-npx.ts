import type { Clock } from '#protocol/clock/clock'

/** Milliseconds between two looks at who the parent is. */
const INTERVAL = 500

export interface NpxWatch {
  /** Resolves once npx is gone; never where it did not begin this command. */
  gone: Promise<void>
  cancel(): void
}

/**
 * Notices that the npx is gone that began this command. npm hands a signal to the shell between them, which ends
 * and says nothing to its child (npm 11): after `npx rollbed up & kill $!` nobody else would end the devnet.
 * @param parent the id of the parent process
 */
export function watchNpx(
  clock: Clock,
  env: NodeJS.ProcessEnv = process.env,
  parent: () => number = () => process.ppid,
): NpxWatch {
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const isFromNpx =
    env.npm_lifecycle_event === 'npx' && /^'?rollbed'?( |$)/.test(env.npm_lifecycle_script ?? '')
  const first = parent()
  const look = () => {
    if (parent() !== first) return resolve()
    timer = clock.after(INTERVAL, look)
  }
  let timer = isFromNpx ? clock.after(INTERVAL, look) : undefined
  return { gone, cancel: () => timer?.cancel() }
}
