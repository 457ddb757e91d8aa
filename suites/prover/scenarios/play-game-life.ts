import type { Hex } from 'viem'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { type CommandOutcome, runCommand } from './run-command.ts'

/** One command of a game's life. */
export interface Step {
  /** What it is for. */
  why: string
  args: readonly string[]
  outcome: CommandOutcome
}

interface Line {
  kind?: string
  game: Hex
  move?: string
}

const PROPOSER = ['actors', 'proposer', '--once', '--finality', 'safe', '--json']
/** It makes no later games, which are another story. */
const SETTLER = ['actors', 'proposer', '--settle-only', '--once', '--json']
const CHALLENGER = ['actors', 'challenger', '--once', '--json']
const TIME_PASSES = ['scenario', 'run', 'time-passes']

const reasons: Record<string, string> = {
  resolve: 'Nobody disputed it: the proposer resolves it in its favour.',
  closeGame: 'It is final: the proposer makes it the anchor that later games start from.',
  unlock: 'The first claim of the bond unlocks it in DelayedWETH.',
  pay: 'The second claim, after the delay, pays it out.',
}

/** Rounds of the settler until the bond is paid; more than ever needed. */
const MAX_ROUNDS = 10

/**
 * Plays a game from its proof to its paid-out bond by commands alone.
 * @returns the game and every command that did something
 */
export async function playGameLife(devnet: DevnetDescription): Promise<{
  game: Hex
  steps: Step[]
}> {
  const steps: Step[] = []
  async function run(args: readonly string[]): Promise<Line & { step: Omit<Step, 'why'> }> {
    const outcome = await runCommand(devnet, args)
    if (outcome.exitCode !== 0) throw new Error(`rollbed ${args.join(' ')}: ${outcome.stderr}`)
    return { ...JSON.parse(outcome.stdout), step: { args, outcome } }
  }
  /** L1's own blocks may reach the moment that the settler still waited for. */
  async function runUnlessPassed() {
    return await run(TIME_PASSES).catch((error: Error) => {
      if (!error.message.includes('NOTHING_TO_WAIT_FOR')) throw error
    })
  }
  const tell = (why: string, { step }: { step: Omit<Step, 'why'> }) => {
    steps.push({ why, ...step })
  }

  tell(
    'The blocks of the first game are on L1, and can be proven.',
    await run(['prove', '--from', '1', '--to', '10']),
  )
  const created = await run(PROPOSER)
  if (created.kind !== 'created') throw new Error(`the proposer: ${created.kind}`)
  const { game } = created
  tell('The proposer has them proven for itself, and creates the game with its bond.', created)
  tell(
    'The challenger recomputes every root, finds nothing wrong and leaves.',
    await run(CHALLENGER),
  )
  tell('Five days pass on L1 in which the game could be disputed.', await run(TIME_PASSES))

  const moves: string[] = []
  for (let round = 0; !moves.includes('pay'); round += 1) {
    if (round > MAX_ROUNDS) throw new Error(`the bond is not paid after ${moves}`)
    const done = await run(SETTLER)
    if (done.kind !== 'settled') {
      const passed = await runUnlessPassed()
      if (passed) tell('The next delay passes.', passed)
      continue
    }
    const move = done.move === 'claimCredit' ? claim(moves) : done.move!
    moves.push(move)
    tell(reasons[move]!, done)
  }
  return { game, steps }
}

function claim(moves: readonly string[]): string {
  return moves.includes('unlock') ? 'pay' : 'unlock'
}
