import { useEffect, useState } from 'preact/hooks'

const listeners = new Set<() => void>()
const changed = () => {
  for (const listener of listeners) listener()
}

/** Goes to an address of the page. */
export function goTo(path: string): void {
  history.pushState(null, '', path)
  changed()
  scrollTo(0, 0)
}

/** After this call, links within the page no longer load the page again. */
export function followLinks(): void {
  addEventListener('popstate', changed)
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a')
    const isPlain = !event.defaultPrevented && event.button === 0
    if (!link || !isPlain || event.ctrlKey || event.metaKey || event.shiftKey || link.target) return
    if (link.origin !== location.origin || link.hash) return
    event.preventDefault()
    goTo(link.pathname + link.search)
  })
}

export interface Place {
  /** The parts of the path: `['tx', '0x12…']`. */
  parts: string[]
  query: URLSearchParams
}

/** Where the page is. */
export function usePlace(): Place {
  const [href, setHref] = useState(location.href)
  useEffect(() => {
    const listener = () => setHref(location.href)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, [])
  const { pathname, searchParams } = new URL(href)
  return { parts: pathname.split('/').filter(Boolean), query: searchParams }
}
