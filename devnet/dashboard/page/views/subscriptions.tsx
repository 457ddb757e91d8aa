import { useEffect, useState } from 'preact/hooks'
import { Action } from '../action.tsx'
import { asSecond } from '../browser-clock.ts'
import { count, Shown, Table } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

interface Subscription {
  id: string
  kind: string
  options: unknown
  since: number
  sent: number
}

const KINDS = [
  ...['newFlashblocks', 'newFlashblockTransactions', 'pendingLogs'],
  ...['newHeads', 'logs', 'newPendingTransactions'],
]
const SHOWN_MESSAGES = 20

/** Who listens to the node, and what one would hear. */
export function Subscriptions() {
  const { node } = useDevnet()
  const open = useLoaded(() => node.call<Subscription[]>('rollbed_subscriptions'), [], true)
  return (
    <>
      <h1>Subscriptions</h1>
      <Shown loaded={open}>
        {(list) => (
          <Table
            title="Open, this page's own included"
            columns={['Kind', 'Options', 'Since', 'Messages']}
            rows={list.map(({ id, kind, options, since, sent }) => ({
              key: id,
              cells: [
                kind,
                options === null ? '' : <code key="o">{JSON.stringify(options)}</code>,
                asSecond(since),
                count(sent),
              ],
            }))}
          />
        )}
      </Shown>
      <h2>Listen</h2>
      <Listener />
    </>
  )
}

function Listener() {
  const { node } = useDevnet()
  const [messages, setMessages] = useState<string[]>([])
  const [end, setEnd] = useState<{ run(): void }>()
  useEffect(() => () => end?.run(), [end])
  const listen = async (fields: FormData) => {
    const kind = String(fields.get('kind'))
    setMessages([])
    const run = await node.subscribe<unknown>(kind, (message) =>
      setMessages((before) => [JSON.stringify(message), ...before].slice(0, SHOWN_MESSAGES)),
    )
    setEnd({ run })
    return `Listening to ${kind}.`
  }
  return (
    <>
      <Action label="Subscribe" run={listen}>
        <label>
          Kind
          <select name="kind">
            {KINDS.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
      </Action>
      <Table
        title="Messages, newest first"
        columns={['Message']}
        rows={messages.map((message, index) => ({
          key: index,
          cells: [
            <code key="m" class="bytes">
              {message}
            </code>,
          ],
        }))}
      />
    </>
  )
}
