import { createPublicClient, http } from 'viem'
import { nextSettlement } from '#devnet/actors/next-settlement'
import { readGame, readGameState } from '#devnet/actors/read-game'
import { readSettlement } from '#devnet/actors/read-settlement'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { asDay } from '../browser-clock.ts'
import { BlockLink, HexText, Shown, Table } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

const SHOWN_GAMES = 20
const STATUS = ['in progress', 'challenger wins', 'defender wins']

/** In the words of what the contract is called for. */
const NEXT_STEP = {
  wait: 'wait',
  resolve: 'resolve',
  closeGame: 'close',
  claimCredit: 'claim the bond',
  done: 'none: it is over',
}

/** uint64 max: a game without a proof is decided by none. */
const NEVER = 2n ** 64n - 1n

/** When a game may be resolved. @param seconds Unix time */
const deadline = (seconds: bigint) =>
  seconds === NEVER ? 'no proof is left' : asDay(Number(seconds) * 1000)

/** The dispute games on L1, newest first. */
export function Games() {
  const { devnet } = useDevnet()
  const games = useLoaded(
    async () => {
      const l1 = createPublicClient({ transport: http(devnet.l1RpcUrl, { batch: true }) })
      const factory = {
        address: devnet.contracts.disputeGameFactory,
        abi: disputeGameFactoryAbi,
      } as const
      const all = Number(await l1.readContract({ ...factory, functionName: 'gameCount' }))
      const rules = {
        anchorStateRegistry: devnet.contracts.anchorStateRegistry,
        delayedWeth: devnet.contracts.delayedWETH,
      }
      const { timestamp: now } = await l1.getBlock()
      const indices = Array.from({ length: Math.min(SHOWN_GAMES, all) }, (_, i) => all - 1 - i)
      return Promise.all(
        indices.map(async (index) => {
          const [, , address] = await l1.readContract({
            ...factory,
            functionName: 'gameAtIndex',
            args: [BigInt(index)],
          })
          const [game, state, zkProver] = await Promise.all([
            readGame(l1 as never, address),
            readGameState(l1 as never, address),
            l1.readContract({ address, abi: aggregateVerifierAbi, functionName: 'zkProver' }),
          ])
          const settlement = await readSettlement(l1 as never, rules, address, game.parent)
          const challenger = state.countered === undefined ? undefined : zkProver
          const next = nextSettlement(settlement, now)
          return { index, ...game, ...state, challenger, settlement, next }
        }),
      )
    },
    [],
    true,
  )
  return (
    <>
      <h1>Games</h1>
      <Shown loaded={games}>
        {(list) => (
          <Table
            title={`The newest ${SHOWN_GAMES} games of the factory on L1`}
            empty="None was made yet: “rollbed up --actors” runs a proposer that makes them."
            columns={[
              'Game',
              'Blocks',
              'Claimed root',
              'Status',
              'Proofs',
              'Countered',
              'Challenger',
              'Decided from',
              'Next step',
              'Creator',
              'Address',
            ]}
            rows={list.map((game) => ({
              key: game.index,
              cells: [
                game.index,
                <span key="b">
                  <BlockLink number={Number(game.startBlock)} /> to{' '}
                  <BlockLink number={Number(game.l2Block)} />
                </span>,
                <HexText key="r" value={game.rootClaim} />,
                STATUS[game.status] ?? game.status,
                [game.hasTeeProof && 'TEE', game.hasZkProof && 'ZK'].filter(Boolean).join(', ') ||
                  'none',
                game.countered === undefined ? 'no' : `root ${game.countered}`,
                game.challenger ? <HexText key="z" value={game.challenger} /> : 'none',
                deadline(game.settlement.expectedResolution),
                NEXT_STEP[game.next],
                <HexText key="c" value={game.creator} />,
                <HexText key="a" value={game.address} />,
              ],
            }))}
          />
        )}
      </Shown>
    </>
  )
}
