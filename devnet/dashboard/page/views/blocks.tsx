import { useState } from 'preact/hooks'
import type { BlockJson } from '../json-types.ts'
import { Shown } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { BlockTable } from './block-table.tsx'

const PAGE = 25

/** Every sealed block, newest first. */
export function Blocks() {
  const { node } = useDevnet()
  const { latest } = useLive()
  // Undefined: whatever is newest, as it moves on.
  const [from, setFrom] = useState<number>()
  const first = Math.min(from ?? latest, latest)
  const blocks = useLoaded(
    () =>
      Promise.all(
        Array.from({ length: Math.min(PAGE, first + 1) }, (_, index) =>
          node.call<BlockJson>('eth_getBlockByNumber', [
            `0x${(first - index).toString(16)}`,
            false,
          ]),
        ),
      ),
    [first],
  )
  return (
    <>
      <h1>Blocks</h1>
      <p class="buttons">
        <button type="button" onClick={() => setFrom(undefined)}>
          Newest
        </button>
        <button type="button" disabled={first >= latest} onClick={() => setFrom(first + PAGE)}>
          Newer
        </button>
        <button
          type="button"
          disabled={first < PAGE}
          onClick={() => setFrom(Math.max(0, first - PAGE))}
        >
          Older
        </button>
      </p>
      <Shown loaded={blocks}>
        {(list) => <BlockTable title="Sealed blocks" blocks={list.filter(Boolean)} />}
      </Shown>
    </>
  )
}
