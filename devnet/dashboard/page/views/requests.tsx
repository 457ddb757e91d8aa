import { useState } from 'preact/hooks'
import type { LoggedRequest } from '#devnet/l2/node/rpc/watching/request-log'
import { asTime } from '../browser-clock.ts'
import { usePlace } from '../location.ts'
import { Shown, Table } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

/** What others asked the node, newest first; this page's own calls are left out. */
export function Requests() {
  const { node } = useDevnet()
  const [wanted, setWanted] = useState(usePlace().query.get('method') ?? '')
  const log = useLoaded(() => node.call<LoggedRequest[]>('rollbed_requestLog'), [], true)
  return (
    <>
      <h1>Requests</h1>
      <p>
        <label>
          Only methods with{' '}
          <input
            type="search"
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
        </label>
      </p>
      <Shown loaded={log}>
        {(list) => (
          <Table
            title="The newest 500 calls, newest first"
            columns={['At', 'Method', 'Params', 'By', 'Took', 'Outcome']}
            rows={list
              .filter(({ method }) => method.toLowerCase().includes(wanted.toLowerCase()))
              .toReversed()
              .map(({ id, at, method, params, transport, took, error, callerLeft }) => ({
                key: id,
                cells: [
                  asTime(at),
                  method,
                  <code key="p" class="bytes">
                    {params === null ? 'too long to be kept' : JSON.stringify(params)}
                  </code>,
                  transport,
                  `${Math.round(took)} ms`,
                  error ? (
                    <span class="bad">
                      {error.code} {error.message}
                    </span>
                  ) : callerLeft ? (
                    'caller left'
                  ) : (
                    'ok'
                  ),
                ],
              }))}
          />
        )}
      </Shown>
    </>
  )
}
