import { useEffect, useState } from 'preact/hooks'
import { later } from './browser-clock.ts'
import { useDevnet } from './use-live.ts'

export interface Loaded<T> {
  value: T | undefined
  error: string | undefined
}

/** Milliseconds between two looks at what nobody pushes. */
const INTERVAL = 2_000

/**
 * Loads something, again whenever a dependency changes, and with `repeat` every two seconds. What was
 * there stays until the new is there.
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  dependencies: readonly unknown[],
  repeat = false,
): Loaded<T> {
  const live = useDevnet()
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: undefined, error: undefined })
  const [isConnected, setConnected] = useState(live.state.isConnected)
  useEffect(() => live.onChange(() => setConnected(live.state.isConnected)), [live])
  useEffect(() => {
    let isOver = false
    let cancel = () => {}
    const look = () =>
      load()
        .then(
          (value) => isOver || setLoaded({ value, error: undefined }),
          (error) =>
            isOver || setLoaded(({ value }) => ({ value, error: (error as Error).message })),
        )
        .finally(() => {
          if (repeat && !isOver) cancel = later(INTERVAL, look)
        })
    void look()
    return () => {
      isOver = true
      cancel()
    }
  }, [isConnected, ...dependencies])
  return loaded
}
