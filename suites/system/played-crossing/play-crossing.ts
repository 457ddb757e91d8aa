import { pino } from 'pino'
import type { Hex } from 'viem'
import { startChallenger } from '#devnet/actors/challenger/start-challenger'
import type { ProposerOutcome } from '#devnet/actors/proposer/create-proposer'
import { startProposer } from '#devnet/actors/proposer/start-proposer'
import type { Outcome } from '#devnet/actors/start-actor'
import { type Devnet, startDevnet } from '#devnet/index'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { systemClock as clock } from '#protocol/clock/system-clock'
import { firstFastBlock } from '#protocol/upgrades/block-times'
import type { RunResult } from '#reports/model'
import { createTestMnemonicDriver, runConformance } from '#suites/gate/conformance/index'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'
import { type DappRecord, startDapp } from './start-dapp.ts'

/** Seconds to the crossing: a game of ten blocks of 2 s ends before it, and the next one behind it. */
const AHEAD = 30
/** Blocks of 200 ms that everybody sees: those of the first game with the fast intervals, and some. */
const AFTER = 150n
/** Milliseconds between two looks of an actor. */
const INTERVAL = 250

export interface CreatedGame {
  game: Hex
  start: bigint
  block: bigint
}

/** What each saw of one crossing. */
export interface PlayedCrossing {
  first: bigint
  dapp: DappRecord
  follower: { compared: bigint; difference: unknown; safe: bigint }
  proposer: { games: CreatedGame[]; kinds: Readonly<Record<string, number>> }
  challenger: { kinds: Readonly<Record<string, number>> }
  gate: RunResult
}

/**
 * A devnet that crosses to blocks of 200 ms while a dapp, a follower, a proposer, a challenger and the gate
 * work on it, until there is a game that began behind the crossing. It takes some two minutes.
 */
export async function playCrossing(): Promise<PlayedCrossing> {
  const upgrades = { azul: 'genesis', denim: `+${AHEAD}s` } as const
  await using devnet = await startDevnet({ upgrades, logLevel: 'silent' })
  const first = firstFastBlock(devnet.config)!
  const last = first + AFTER
  await using dapp = await startDapp(devnet.description, first)
  const following = follow(devnet, last)
  const actors = startActors(devnet, first)
  const gating = judge(devnet)
  const [gate, follower] = await Promise.all([gating, following, actors.hasFast])
  const { proposer, challenger } = await actors.stop()
  return { first, dapp: await dapp.stop(), follower, proposer, challenger, gate }
}

/** A process that derives the chain from L1 alone, up to a block, and holds each against the sequencer's. */
async function follow({ description }: Devnet, last: bigint): Promise<PlayedCrossing['follower']> {
  const { l1RpcUrl, l1BeaconUrl, rollupRpcUrl, rpcUrl } = description
  const urls = ['--l1', l1RpcUrl, '--beacon', l1BeaconUrl, '--rollup', rollupRpcUrl]
  const flags = ['--against', rpcUrl, '--to', String(last), '--json']
  const { stdout, stderr } = await new RollbedProcess(['follow', ...urls, ...flags]).outcome
  if (!stdout) throw new Error(`rollbed follow said nothing: ${stderr}`)
  const { compared, difference, safe } = JSON.parse(stdout)
  return { compared: BigInt(compared), difference, safe: BigInt(safe.number) }
}

function startActors({ description }: Devnet, first: bigint) {
  const { rpcUrl: l2RpcUrl, contracts } = description
  const games: CreatedGame[] = []
  const { promise: hasFast, resolve } = Promise.withResolvers<void>()
  const [proposed, challenged] = [counter(), counter()]
  const around = {
    ...description,
    factory: contracts.disputeGameFactory,
    clock,
    logger: pino({ level: 'silent' }),
    interval: INTERVAL,
  }
  const proposer = startProposer({
    ...around,
    key: roleKeys.proposer,
    finality: 'safe',
    onOutcome(outcome) {
      proposed.add(outcome)
      if (!isCreated(outcome)) return
      const start = games.at(-1)?.block ?? 0n
      games.push({ game: outcome.game, start, block: outcome.block })
      if (start >= first) resolve()
    },
  })
  const challenger = startChallenger({
    ...around,
    l2RpcUrl,
    key: roleKeys.challenger,
    onOutcome: (outcome) => challenged.add(outcome),
  })
  return {
    hasFast,
    async stop() {
      await Promise.all([proposer.stop(), challenger.stop()])
      return {
        proposer: { games, kinds: proposed.kinds },
        challenger: { kinds: challenged.kinds },
      }
    },
  }
}

const isCreated = (outcome: Outcome): outcome is Extract<ProposerOutcome, { kind: 'created' }> =>
  outcome.kind === 'created'

/** How often an actor came to what. */
function counter() {
  const kinds: Record<string, number> = {}
  return {
    kinds,
    add({ kind }: Outcome) {
      kinds[kind] = (kinds[kind] ?? 0) + 1
    },
  }
}

async function judge({ description }: Devnet): Promise<RunResult> {
  const { rpcUrl: rpc, wsUrl: ws, proverUrl: prover, l1RpcUrl: l1, contracts } = description
  const { teeVerifier } = contracts
  const targets = { rpc, ws, prover, l1, teeVerifier }
  const { signal } = new AbortController()
  const driver = await createTestMnemonicDriver({ targets, clock, signal })
  return await runConformance({ targets, driver, profile: 'today', only: 'today' })
}
