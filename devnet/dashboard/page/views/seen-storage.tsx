import type { StorageLayout } from '../../storage-layout.ts'
import type { Hex } from '../json-types.ts'
import { Table } from '../parts.tsx'
import { type DebugStep, storageUpTo } from '../step-list.ts'
import { useBook } from '../use-book.ts'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { valueIn } from './storage-table.tsx'

/** The slots that the account of a frame has read or written until now, by name where there is one. */
export function SeenStorage({ steps, at }: { steps: readonly DebugStep[]; at: number }) {
  const { node } = useDevnet()
  const book = useBook()
  const { account } = steps[at]!.running
  const codeAt = (of: Hex) => node.call<Hex>('eth_getCode', [of, 'pending'])
  const known = useLoaded(() => book.contractAt(account, codeAt), [account, book])
  const slots = [...storageUpTo(steps, at)]
  return (
    <Table
      title="Of the account that runs"
      empty="It has read and written none."
      columns={['Slot', 'Value', 'Variables']}
      rows={slots.map(([slot, value]) => ({
        key: slot,
        cells: [
          <code key="s">{slot}</code>,
          <code key="v">{value}</code>,
          variablesIn(known.value?.storage ?? [], slot, value),
        ],
      }))}
    />
  )
}

function variablesIn(layout: StorageLayout, slot: Hex, value: Hex): string {
  const word: Hex = `0x${value.slice(2).padStart(64, '0')}`
  return layout
    .filter((variable) => BigInt(variable.slot) === BigInt(slot))
    .map((variable) => `${variable.name}: ${valueIn(variable, word)}`)
    .join(', ')
}
