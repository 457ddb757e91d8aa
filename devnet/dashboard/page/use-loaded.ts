import { useEffect, useRef, useState } from 'preact/hooks'
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
 * there stays until something newer is there: an answer that comes when the next is asked for already
 * counts, or who moves faster than answers come would never see one.
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  dependencies: readonly unknown[],
  repeat = false,
): Loaded<T> {
  const live = useDevnet()
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: undefined, error: undefined })
  const [isConnected, setConnected] = useState(live.state.isConnected)
  const turns = useRef({ begun: 0, shown: 0 })
  useEffect(() => live.onChange(() => setConnected(live.state.isConnected)), [live])
  useEffect(() => {
    let isOver = false
    let cancel = () => {}
    const look = () => {
      const turn = ++turns.current.begun
      const show = (next: (before: Loaded<T>) => Loaded<T>) => {
        if (turn < turns.current.shown) return
        turns.current.shown = turn
        setLoaded(next)
      }
      return load()
        .then(
          (value) => show(() => ({ value, error: undefined })),
          (error) => isOver || show(({ value }) => ({ value, error: (error as Error).message })),
        )
        .finally(() => {
          if (repeat && !isOver) cancel = later(INTERVAL, look)
        })
    }
    void look()
    return () => {
      isOver = true
      cancel()
    }
  }, [isConnected, ...dependencies])
  return loaded
}
