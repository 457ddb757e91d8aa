import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Hex } from '../json-types.ts'
import { Shown } from '../parts.tsx'
import { useLoaded } from '../use-loaded.ts'

interface Page<T> {
  found: T[]
  /** Where the next page begins; null at the beginning of the chain. */
  before: Hex | null
}

/** What stands in sealed blocks, page by page, as far back as one asks. */
export function PastPages<T>(props: {
  /** The newest block: with another one the first page is loaded again; older pages stay as they are. */
  newest: number
  load: (before: Hex | undefined) => Promise<Page<T>>
  children: (found: T[]) => ComponentChildren
}) {
  const [starts, setStarts] = useState<Hex[]>([])
  const start = starts.at(-1)
  const page = useLoaded(() => props.load(start), [start ?? props.newest])
  return (
    <Shown loaded={page}>
      {({ found, before }) => (
        <>
          {props.children(found)}
          <p class="pager">
            {(start || before) && (
              <>
                <button
                  type="button"
                  disabled={!start}
                  onClick={() => setStarts(starts.slice(0, -1))}
                >
                  Newer
                </button>
                <button
                  type="button"
                  disabled={!before}
                  onClick={() => before && setStarts([...starts, before])}
                >
                  Older
                </button>
              </>
            )}
            <span class="dim">
              {before ? `Searched down to block ${Number(before)}.` : 'There are no older ones.'}
            </span>
          </p>
        </>
      )}
    </Shown>
  )
}
