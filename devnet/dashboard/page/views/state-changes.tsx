import type { Hex, StateDiffJson } from '../json-types.ts'
import { AddressLink, ether, Table } from '../parts.tsx'

interface Change {
  address: Hex
  what: string
  before: string
  after: string
}

/** Balances, nonces, code and slots before and after. */
export function StateChanges({ diff }: { diff: StateDiffJson }) {
  return (
    <Table
      title="Before and after"
      empty="Nothing changed."
      columns={['Account', 'What', 'Before', 'After']}
      rows={changesOf(diff).map(({ address, what, before, after }) => ({
        key: address + what,
        cells: [
          <AddressLink key="a" address={address} />,
          <span key="w" class="bytes">
            {what}
          </span>,
          <code key="b" class="bytes">
            {before}
          </code>,
          <code key="c" class="bytes">
            {after}
          </code>,
        ],
      }))}
    />
  )
}

function changesOf({ pre, post }: StateDiffJson): Change[] {
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])] as Hex[]
  return addresses.flatMap((address) => {
    const [before, after] = [pre[address] ?? {}, post[address]]
    const changes: Change[] = []
    const add = (what: string, from: string, to: string) =>
      changes.push({ address, what, before: from, after: to })
    // An account that is no longer there has no after.
    if (!after) return [{ address, what: 'account', before: 'was there', after: 'gone' }]
    if (after.balance) add('balance', ether(before.balance ?? '0x0'), ether(after.balance))
    if (after.nonce !== undefined) add('nonce', `${before.nonce ?? 0}`, `${after.nonce}`)
    if (after.code) add('code', sizeOf(before.code), sizeOf(after.code))
    const slots = new Set([
      ...Object.keys(before.storage ?? {}),
      ...Object.keys(after.storage ?? {}),
    ]) as Set<Hex>
    for (const slot of slots) {
      add(`slot ${slot}`, before.storage?.[slot] ?? ZERO, after.storage?.[slot] ?? ZERO)
    }
    return changes
  })
}

const ZERO = `0x${'00'.repeat(32)}`
const sizeOf = (code: Hex = '0x') => `${(code.length - 2) / 2} bytes`
