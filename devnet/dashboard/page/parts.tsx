import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatEther } from 'viem'
import { asDay, asSecond, asTime } from './browser-clock.ts'
import type { BlockJson, Hex } from './json-types.ts'
import { useContractName } from './use-book.ts'
import { useDevnet } from './use-live.ts'
import type { Loaded } from './use-loaded.ts'

const short = (text: string, kept = 6): string =>
  text.length <= 2 * kept + 3 ? text : `${text.slice(0, kept + 2)}…${text.slice(-kept)}`

export function HexText({ value }: { value: string }) {
  return (
    <code class="short" title={value}>
      {short(value)}
    </code>
  )
}

export function TransactionLink({ hash }: { hash: Hex }) {
  return (
    <a href={`/tx/${hash}`}>
      <code class="short" title={hash}>
        {short(hash)}
      </code>
    </a>
  )
}

export function BlockLink({ number }: { number: number | string }) {
  return <a href={`/block/${number}`}>{String(number)}</a>
}

/** What an address is called: a contract by its name, a dev account by its place. */
export function useLabel(address: Hex): string | undefined {
  const { accounts } = useDevnet().devnet
  const name = useContractName(address)
  const index = accounts.indexOf(address.toLowerCase() as Hex)
  return name ?? (index >= 0 ? `account ${index}` : undefined)
}

/** An address, by its name where it has one. */
export function AddressLink({ address, full }: { address: Hex; full?: boolean }) {
  const label = useLabel(address)
  return (
    <a href={`/address/${address}`} title={address}>
      <code class={full ? undefined : 'short'}>{full ? address : short(address)}</code>
      {label && <span class="label"> {label}</span>}
    </a>
  )
}

export const ether = (wei: Hex | bigint): string => `${formatEther(BigInt(wei))} ETH`

export const count = (value: Hex | number | bigint): string => Number(value).toLocaleString('en')

export function Time({ seconds }: { seconds: Hex | number }) {
  return <>{asSecond(Number(seconds) * 1000)}</>
}

/** When a block is; to the millisecond where five of them share a second. */
export function BlockTime({ block: { timestamp, timestampMs } }: { block: BlockJson }) {
  if (timestampMs === undefined) return <Time seconds={timestamp} />
  return <>{asTime(Number(timestampMs))} UTC</>
}

/** The same with its day: time is moved by days here, and folders are kept for weeks. */
export function BlockDay({ block: { timestamp, timestampMs } }: { block: BlockJson }) {
  const day = asDay(Number(timestamp) * 1000)
  return (
    <>{timestampMs === undefined ? day : `${day}.${asTime(Number(timestampMs)).slice(-3)}`} UTC</>
  )
}

/** Name and value, one below the other. */
export function Fields({ of }: { of: Record<string, ComponentChildren> }) {
  return (
    <dl class="fields">
      {Object.entries(of).map(
        ([name, value]) =>
          isThere(value) && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

const isThere = (value: ComponentChildren) =>
  value !== undefined && value !== null && value !== false

/** Rows of a table that are shown at a time. */
const PAGE_ROWS = 25

/** A table that says so when it is empty, that the keyboard can scroll, and that pages when it is long. */
export function Table(props: {
  title: string
  columns: string[]
  rows: { key: string | number; cells: ComponentChildren[] }[]
  empty?: string
}) {
  const { title, columns, rows, empty = 'None.' } = props
  const [wanted, setFirst] = useState(0)
  if (rows.length === 0) return <p class="dim">{empty}</p>
  // A list that is filtered may be shorter now.
  const first = wanted < rows.length ? wanted : 0
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section class="scroll" aria-label={title} tabIndex={0}>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(first, first + PAGE_ROWS).map(({ key, cells }) => (
              <tr key={key}>
                {cells.map((cell, index) => (
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > PAGE_ROWS && <Pager first={first} of={rows.length} go={setFirst} />}
    </>
  )
}

function Pager({ first, of, go }: { first: number; of: number; go: (first: number) => void }) {
  const end = Math.min(first + PAGE_ROWS, of)
  return (
    <p class="pager">
      <button type="button" disabled={first === 0} onClick={() => go(first - PAGE_ROWS)}>
        Previous
      </button>
      <span role="status">
        {first + 1} to {end} of {of}
      </span>
      <button type="button" disabled={end === of} onClick={() => go(end)}>
        Next
      </button>
    </p>
  )
}

/** Shows what was loaded, or why it was not. */
export function Shown<T>({
  loaded,
  children,
}: {
  loaded: Loaded<T>
  children: (value: T) => ComponentChildren
}) {
  const { value, error } = loaded
  return (
    <>
      {error && <p class="notice">{error}</p>}
      {value === undefined ? !error && <p class="dim">Loading…</p> : children(value)}
    </>
  )
}
