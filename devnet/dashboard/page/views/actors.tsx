import type { ActorRound } from '../../../actors/start-actors.ts'
import { asSecond } from '../browser-clock.ts'
import { Shown, Table } from '../parts.tsx'
import { useLoaded } from '../use-loaded.ts'

/** What proposer, challenger and registrar did, newest first. */
export function Actors() {
  const rounds = useLoaded(
    async (): Promise<(ActorRound & { id: number })[]> => (await fetch('/data/actors.json')).json(),
    [],
    true,
  )
  return (
    <>
      <h1>Actors</h1>
      <Shown loaded={rounds}>
        {(list) => (
          <Table
            title="Rounds, newest first"
            empty="No actors run: start with “rollbed up --actors”."
            columns={['At', 'Actor', 'What came of it']}
            rows={list.toReversed().map(({ id, at, actor, kind, isFailure }) => ({
              key: id,
              cells: [
                asSecond(at),
                actor,
                isFailure ? <span class="bad">failed: {kind}</span> : kind,
              ],
            }))}
          />
        )}
      </Shown>
    </>
  )
}
