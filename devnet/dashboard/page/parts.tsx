import type { ComponentChildren } from 'preact'
import { formatEther } from 'viem'
import { asSecond } from './browser-clock.ts'
import type { Hex } from './json-types.ts'
import { useContractName } from './use-book.ts'
import { useDevnet } from './use-live.ts'
import type { Loaded } from './use-loaded.ts'

const short = (text: string, kept = 6): string =>
  text.length <= 2 * kept + 3 ? text : `${text.slice(0, kept + 2)}…${text.slice(-kept)}`

export function HexText({ value }: { value: string }) {
  return <code title={value}>{short(value)}</code>
}

export function TransactionLink({ hash }: { hash: Hex }) {
  return (
    <a href={`/tx/${hash}`}>
      <code title={hash}>{short(hash)}</code>
    </a>
  )
}

export function BlockLink({ number }: { number: number | string }) {
  return <a href={`/block/${number}`}>{String(number)}</a>
}

/** An address, by its name where it has one. */
export function AddressLink({ address, full }: { address: Hex; full?: boolean }) {
  const { accounts } = useDevnet().devnet
  const name = useContractName(address)
  const index = accounts.indexOf(address.toLowerCase() as Hex)
  const label = name ?? (index >= 0 ? `account ${index}` : undefined)
  return (
    <a href={`/address/${address}`} title={address}>
      <code>{full ? address : short(address)}</code>
      {label && <span class="label"> {label}</span>}
    </a>
  )
}

export const ether = (wei: Hex | bigint): string => `${formatEther(BigInt(wei))} ETH`

export const count = (value: Hex | number | bigint): string => Number(value).toLocaleString('en')

export function Time({ seconds }: { seconds: Hex | number }) {
  return <>{asSecond(Number(seconds) * 1000)}</>
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

/** A table that says so when it is empty, and that the keyboard can scroll. */
export function Table(props: {
  title: string
  columns: string[]
  rows: { key: string | number; cells: ComponentChildren[] }[]
  empty?: string
}) {
  const { title, columns, rows, empty = 'None.' } = props
  if (rows.length === 0) return <p class="dim">{empty}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
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
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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
