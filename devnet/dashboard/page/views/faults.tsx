import { Action } from '../action.tsx'
import { Shown, Table } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

/** Faults that act on the devnet now, and a way to make more. */
export function Faults() {
  const { node } = useDevnet()
  const faults = useLoaded(() => node.call<unknown>('rollbed_faultList'), [], true)
  const inject = async (fields: FormData) => {
    const told = String(fields.get('with')).trim()
    const id = await node.call('rollbed_faultInject', [
      ...[String(fields.get('target')).trim(), String(fields.get('fault')).trim()],
      ...(told ? [JSON.parse(told)] : []),
    ])
    return `Injected: ${JSON.stringify(id)}.`
  }
  const clear = async () => {
    await node.call('rollbed_faultClear')
    return 'Cleared.'
  }
  return (
    <>
      <h1>Faults</h1>
      <Shown loaded={faults}>
        {(found) => (
          <>
            <FaultTables found={found} />
            <h2>Inject a fault</h2>
            <Action label="Inject" run={inject}>
              <label>
                Target
                <input name="target" required autocomplete="off" />
              </label>
              <label>
                Fault
                <input name="fault" required autocomplete="off" />
              </label>
              <label>
                With, as JSON
                <input name="with" autocomplete="off" />
              </label>
            </Action>
            <Action label="Clear all" run={clear} />
          </>
        )}
      </Shown>
    </>
  )
}

/** Lists of objects as they come: what a fault has to tell differs from one to the next. */
function FaultTables({ found }: { found: unknown }) {
  const groups = Array.isArray(found) ? { Faults: found } : Object(found)
  return Object.entries(groups).map(([name, rows]) => {
    const list = Array.isArray(rows) ? rows : Object.values(Object(rows))
    const columns = [...new Set(list.flatMap((row) => Object.keys(Object(row))))]
    const isFlat = columns.length === 0 || typeof list[0] === 'string'
    return (
      <Table
        key={name}
        title={name}
        columns={isFlat ? [name] : columns}
        rows={list.map((row, index) => ({
          key: index,
          cells: isFlat ? [show(row)] : columns.map((column) => show(Object(row)[column])),
        }))}
      />
    )
  })
}

const show = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
