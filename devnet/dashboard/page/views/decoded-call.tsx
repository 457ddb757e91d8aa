import type { Decoded } from '../contract-book.ts'
import type { Hex } from '../json-types.ts'
import { Table } from '../parts.tsx'
import { useBook } from '../use-book.ts'

/** Calldata by function and arguments, as far as anybody knows them. */
export function DecodedCall({ to, input }: { to: Hex | null; input: Hex }) {
  const call = useBook().call(input)
  if (to === null) return <p>Creates a contract with {(input.length - 2) / 2} bytes of code.</p>
  if (input === '0x') return <p>A transfer without calldata.</p>
  return (
    <>
      {call ? (
        <Arguments title={`${call.name}, its arguments`} of={call.args} />
      ) : (
        <p>
          Unknown function <code>{input.slice(0, 10)}</code>. Start with{' '}
          <code>--artifacts DIR</code> to decode the calls of your contracts.
        </p>
      )}
      <details>
        <summary>Calldata, {(input.length - 2) / 2} bytes</summary>
        <code class="bytes">{input}</code>
      </details>
    </>
  )
}

export function Arguments({ title, of }: { title: string; of: Decoded['args'] }) {
  return (
    <Table
      title={title}
      empty={`${title}: none.`}
      columns={['Name', 'Type', 'Value']}
      rows={of.map(({ name, type, value }) => ({
        key: name,
        cells: [name, type, <code key="v">{value}</code>],
      }))}
    />
  )
}
