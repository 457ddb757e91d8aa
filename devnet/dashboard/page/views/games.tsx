import { createPublicClient, http } from 'viem'
import { disputeGameFactoryAbi } from '../../../../fixtures/contracts/DisputeGameFactory.abi.ts'
import { readGame, readGameState } from '../../../actors/read-game.ts'
import { BlockLink, HexText, Shown, Table } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

const SHOWN_GAMES = 20
const STATUS = ['in progress', 'challenger wins', 'defender wins']

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
      const indices = Array.from({ length: Math.min(SHOWN_GAMES, all) }, (_, i) => all - 1 - i)
      return Promise.all(
        indices.map(async (index) => {
          const [, , address] = await l1.readContract({
            ...factory,
            functionName: 'gameAtIndex',
            args: [BigInt(index)],
          })
          const [game, state] = await Promise.all([
            readGame(l1 as never, address),
            readGameState(l1 as never, address),
          ])
          return { index, ...game, ...state }
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
