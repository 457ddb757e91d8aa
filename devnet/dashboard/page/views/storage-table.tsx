import type { StorageLayout, StorageVariable } from '../../storage-layout.ts'
import type { Hex } from '../json-types.ts'
import { Shown, Table } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

/** The variables of a contract, by the layout that its compiler wrote. */
export function StorageTable({ address, layout }: { address: Hex; layout: StorageLayout }) {
  const { node } = useDevnet()
  const { latest, flashblocks } = useLive()
  const values = useLoaded(
    () =>
      Promise.all(
        layout.map(({ slot }) => {
          const position = `0x${BigInt(slot).toString(16).padStart(64, '0')}`
          return node.call<Hex>('eth_getStorageAt', [address, position, 'pending'])
        }),
      ),
    [address, latest, flashblocks.length],
  )
  return (
    <Shown loaded={values}>
      {(words) => (
        <Table
          title="With what is pre-confirmed"
          empty="It has no variables."
          columns={['Variable', 'Type', 'Slot', 'Value']}
          rows={layout.map((variable, index) => ({
            key: variable.name,
            cells: [
              variable.name,
              variable.type,
              variable.slot,
              <code key="v">{valueIn(variable, words[index]!)}</code>,
            ],
          }))}
        />
      )}
    </Shown>
  )
}

/** Variables share a word, from its right end. Source: Solidity, layout of state variables in storage. */
export function valueIn({ type, offset, bytes, isInPlace }: StorageVariable, word: Hex): string {
  if (!isInPlace) return 'lies in other slots'
  const end = word.length - 2 * offset
  const digits = word.slice(Math.max(2, end - 2 * bytes), end)
  if (/^uint/.test(type)) return BigInt(`0x${digits}`).toString()
  if (/^int/.test(type)) return BigInt.asIntN(8 * bytes, BigInt(`0x${digits}`)).toString()
  return type === 'bool' ? String(Number(`0x${digits}`) === 1) : `0x${digits}`
}
