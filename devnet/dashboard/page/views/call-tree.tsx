import type { FrameJson } from '../json-types.ts'
import { AddressLink, count, ether } from '../parts.tsx'
import { useBook, useContractName } from '../use-book.ts'

/** Calls within calls, with the gas of each; a frame opens by click or key. */
export function CallTree({ root }: { root: FrameJson }) {
  return (
    <ul class="calls">
      <Frame frame={root} all={Number(root.gasUsed)} />
    </ul>
  )
}

function Frame({ frame, all }: { frame: FrameJson; all: number }) {
  const book = useBook()
  const { calls = [] } = frame
  const used = Number(frame.gasUsed)
  const own = used - calls.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0)
  // The input of a creation is code: it calls nothing.
  const isCreation = frame.type.startsWith('CREATE')
  const created = useContractName(isCreation ? frame.to : undefined)
  const call = isCreation ? undefined : book.call(frame.input)
  const args = call?.args.map(({ name, value }) => `${name}: ${value}`).join(', ')
  const result =
    frame.error || isCreation ? undefined : book.result(frame.input, frame.output ?? '0x')
  return (
    <li>
      <details open>
        <summary>
          <span class="kind">{frame.type}</span>{' '}
          <strong>
            {isCreation ? (
              <>creates {created ?? 'a contract'}</>
            ) : (
              (call?.name ?? (frame.input === '0x' ? 'transfer' : frame.input.slice(0, 10)))
            )}
          </strong>{' '}
          {count(used)} gas, {count(own)} of it here
          {frame.error && <span class="bad"> {frame.error}</span>}
        </summary>
        <meter min={0} max={Math.max(1, all)} value={used} aria-label="Share of the gas" />
        <p>
          {frame.to && <AddressLink address={frame.to} />}
          {frame.value && frame.value !== '0x0' && ` with ${ether(frame.value)}`}
        </p>
        {args && <p class="args">takes {args}</p>}
        {result && <p class="args">gives {result.map(({ value }) => value).join(', ')}</p>}
        {frame.error && (
          <p class="bad">{frame.revertReason ?? book.error(frame.output ?? '0x') ?? frame.error}</p>
        )}
      </details>
      {calls.length > 0 && (
        <ul>
          {calls.map((inner, index) => (
            <Frame key={index} frame={inner} all={all} />
          ))}
        </ul>
      )}
    </li>
  )
}
