import type { CodeSource } from '../../code-source.ts'
import type { FrameJson } from '../json-types.ts'
import { AddressLink } from '../parts.tsx'
import { isCreation, type RunningFrame } from '../step-list.ts'
import { useBook } from '../use-book.ts'

/** The frame that runs, and those that wait for it, the innermost first. */
export function OpenFrames(props: {
  of: RunningFrame
  sourceOf: (frame: FrameJson) => CodeSource | undefined
}) {
  const book = useBook()
  const open: RunningFrame[] = []
  for (let each: RunningFrame | undefined = props.of; each; each = each.parent) open.push(each)
  return (
    <ol class="frames">
      {open.map(({ frame }, index) => {
        const contract = props.sourceOf(frame)?.contract
        const called = isCreation(frame) ? 'constructor' : book.call(frame.input)?.name
        return (
          <li key={index}>
            <span class="kind">{frame.type}</span>{' '}
            <strong>
              {[contract, called ?? frame.input.slice(0, 10)].filter(Boolean).join('.')}
            </strong>{' '}
            {frame.to && <AddressLink address={frame.to} />}
            {frame.error && <span class="bad"> it will fail: {frame.error}</span>}
          </li>
        )
      })}
    </ol>
  )
}
