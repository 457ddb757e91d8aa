import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Live, LiveState } from './live.ts'

export const LiveContext = createContext<Live>(undefined as never)

/** The devnet that the page follows; does not draw anew when it changes. */
export const useDevnet = (): Live => useContext(LiveContext)

/** What changes by itself; draws anew whenever it does. */
export function useLive(): LiveState {
  const live = useDevnet()
  const [state, setState] = useState(live.state)
  useEffect(() => {
    setState(live.state)
    return live.onChange(() => setState(live.state))
  }, [live])
  return state
}
