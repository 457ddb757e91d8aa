import { createPublicClient, http } from 'viem'
import type { ActorRound } from '#devnet/rollup/start/start-actors'
import { asSecond } from '../browser-clock.ts'
import type { Hex } from '../json-types.ts'
import { ether, HexText, Shown, Table } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

interface Actor {
  role: string
  address: Hex
  /** On L1. */
  balance: bigint
  transactions: number
}

type Round = ActorRound & { id: number }

/** Who proposer, challenger and registrar are, what they do next, and what they did, newest first. */
export function Actors() {
  const { devnet } = useDevnet()
  const rounds = useLoaded(
    async (): Promise<Round[]> => (await fetch('/data/actors.json')).json(),
    [],
    true,
  )
  const actors = useLoaded(
    async (): Promise<Actor[]> => {
      const l1 = createPublicClient({ transport: http(devnet.l1RpcUrl, { batch: true }) })
      const roles: { role: string; address: Hex }[] = await (await fetch('/data/roles.json')).json()
      return Promise.all(
        roles.map(async ({ role, address }) => ({
          role,
          address,
          balance: await l1.getBalance({ address }),
          transactions: await l1.getTransactionCount({ address }),
        })),
      )
    },
    [],
    true,
  )
  return (
    <>
      <h1>Actors</h1>
      <Shown loaded={actors}>
        {(list) => (
          <Table
            title="Who acts on L1"
            columns={[
              'Actor',
              'Address',
              'Balance',
              'Transactions',
              'Last outcome',
              'At',
              'Next step',
            ]}
            rows={list.map(({ role, address, balance, transactions }) => {
              const last = rounds.value?.findLast(({ actor }) => actor === role)
              return {
                key: role,
                cells: [
                  role,
                  <HexText key="address" value={address} />,
                  ether(balance),
                  transactions,
                  last ? <Outcome key="last" round={last} /> : 'none yet',
                  last ? asSecond(last.at) : '',
                  last?.next,
                ],
              }
            })}
          />
        )}
      </Shown>
      <Shown loaded={rounds}>
        {(list) => (
          <Table
            title="Rounds, newest first"
            empty="No actors run: start with “rollbed up --actors”."
            columns={['At', 'Actor', 'What came of it']}
            rows={list.toReversed().map((round) => ({
              key: round.id,
              cells: [asSecond(round.at), round.actor, <Outcome key="outcome" round={round} />],
            }))}
          />
        )}
      </Shown>
    </>
  )
}

function Outcome({ round: { kind, isFailure } }: { round: Round }) {
  return <span class={isFailure ? 'bad' : ''}>{isFailure ? `failed: ${kind}` : kind}</span>
}
