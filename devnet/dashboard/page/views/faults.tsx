import { useState } from 'preact/hooks'
import type { ActiveFault } from '#devnet/faults/fault-engine'
import { Action } from '../action.tsx'
import { asSecond } from '../browser-clock.ts'
import { Shown, Table } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

/** What can be done in this devnet, and what is being done. */
interface FaultList {
  active: ActiveFault[]
  targets: { target: string; faults: string[] }[]
}

/** Faults that act on the devnet now, and a way to make more. */
export function Faults() {
  const { node } = useDevnet()
  const faults = useLoaded(() => node.call<FaultList>('rollbed_faultList'), [], true)
  const catalogue = useLoaded(
    async (): Promise<{ name: string; says: string }[]> =>
      (await fetch('/data/faults.json')).json(),
    [],
  )
  const told = new Map((catalogue.value ?? []).map(({ name, says }) => [name, says]))
  return (
    <>
      <h1>Faults</h1>
      {!faults.value && faults.error ? (
        <p class="notice">
          {faults.error} “rollbed up --faults none” starts a devnet on which nothing is wrong until
          you say so here.
        </p>
      ) : (
        <Shown loaded={faults}>
          {({ active, targets }) => (
            <>
              <ActiveFaults active={active} />
              <InjectForm targets={targets} told={told} />
            </>
          )}
        </Shown>
      )}
      <Table
        title="What each fault does"
        columns={['Fault', 'While it lasts']}
        rows={[...told].map(([name, says]) => ({ key: name, cells: [name, says] }))}
      />
    </>
  )
}

function ActiveFaults({ active }: { active: ActiveFault[] }) {
  const { node } = useDevnet()
  const clear = async (id?: number) => {
    const cleared = await node.call<number>('rollbed_faultClear', id === undefined ? [] : [id])
    return cleared === 1 ? 'One fault cleared.' : `${cleared} faults cleared.`
  }
  return (
    <>
      <Table
        title="In force"
        empty="Nothing is wrong on purpose."
        columns={['Number', 'Target', 'Fault', 'With', 'Since', 'End it']}
        rows={active.map(({ id, target, fault, with: told, since }) => ({
          key: id,
          cells: [
            id,
            target,
            fault,
            <code key="with">{JSON.stringify(told)}</code>,
            asSecond(since),
            <Action key="clear" label={`Clear ${id}`} run={() => clear(id)} />,
          ],
        }))}
      />
      <Action label="Clear all" run={() => clear()} />
    </>
  )
}

function InjectForm({
  targets,
  told,
}: {
  targets: FaultList['targets']
  told: ReadonlyMap<string, string>
}) {
  const { node } = useDevnet()
  const [chosen, choose] = useState(targets[0]?.target)
  const faults = targets.find(({ target }) => target === chosen)?.faults ?? []
  const inject = async (fields: FormData) => {
    const given = String(fields.get('with')).trim()
    const { id, target, fault } = await node.call<ActiveFault>('rollbed_faultInject', [
      ...[fields.get('target'), fields.get('fault')],
      ...(given ? [JSON.parse(given)] : []),
    ])
    return `Number ${id}: ${fault} on ${target}.`
  }
  return (
    <>
      <h2>Inject a fault</h2>
      <Action label="Inject" run={inject}>
        <label>
          Target
          <select
            name="target"
            value={chosen}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {targets.map(({ target }) => (
              <option key={target}>{target}</option>
            ))}
          </select>
        </label>
        <label>
          Fault
          <select name="fault">
            {faults.map((name) => (
              <option key={name} title={told.get(name)}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          With, as JSON
          <input name="with" autocomplete="off" placeholder='{"latency": 500}' />
        </label>
      </Action>
    </>
  )
}
