import { useState } from 'preact/hooks'
import type { ActiveFault } from '#devnet/faults/fault-engine'
import { Action } from '../action.tsx'
import { asSecond } from '../browser-clock.ts'
import { Shown, Table } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { type FaultField, FaultFields, parametersOf } from './fault-fields.tsx'

/** What can be done in this devnet, and what is being done. */
interface FaultList {
  active: ActiveFault[]
  targets: { target: string; faults: string[] }[]
}

interface FaultWords {
  name: string
  says: string
  fields: Record<string, FaultField>
}

/** Faults that act on the devnet now, and a way to make more. */
export function Faults() {
  const { node } = useDevnet()
  const faults = useLoaded(() => node.call<FaultList>('rollbed_faultList'), [], true)
  const catalogue = useLoaded(
    async (): Promise<FaultWords[]> => (await fetch('/data/faults.json')).json(),
    [],
  )
  const words = catalogue.value ?? []
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
              <InjectForm targets={targets} words={words} />
            </>
          )}
        </Shown>
      )}
      <Table
        title="What each fault does"
        columns={['Fault', 'While it lasts']}
        rows={words.map(({ name, says }) => ({ key: name, cells: [name, says] }))}
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
        rows={active.map(({ id, target, fault, with: parameters, since }) => ({
          key: id,
          cells: [
            id,
            target,
            fault,
            <code key="with">{JSON.stringify(parameters)}</code>,
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
  words,
}: {
  targets: FaultList['targets']
  words: readonly FaultWords[]
}) {
  const { node } = useDevnet()
  const [target, setTarget] = useState(targets[0]?.target)
  const faults = targets.find((each) => each.target === target)?.faults ?? []
  const [wanted, setFault] = useState<string>()
  const fault = wanted !== undefined && faults.includes(wanted) ? wanted : faults[0]
  const fields = words.find(({ name }) => name === fault)?.fields ?? {}
  const inject = async (form: FormData) => {
    const parameters = parametersOf(form, fields)
    const { id } = await node.call<ActiveFault>('rollbed_faultInject', [target, fault, parameters])
    return `Number ${id}: ${fault} on ${target}.`
  }
  return (
    <>
      <h2>Inject a fault</h2>
      <Action label="Inject" run={inject}>
        <label>
          Target
          <select value={target} onChange={(event) => setTarget(event.currentTarget.value)}>
            {targets.map((each) => (
              <option key={each.target}>{each.target}</option>
            ))}
          </select>
        </label>
        <label>
          Fault
          <select
            name="fault"
            value={fault}
            onChange={(event) => setFault(event.currentTarget.value)}
          >
            {faults.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <FaultFields key={fault} fields={fields} />
      </Action>
    </>
  )
}
