import { numberToHex, zeroAddress } from 'viem'
import { gameType } from '#fixtures/chain/constants'
import { expectObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import type { WatchedCaller } from './watched-caller.ts'

/** What is true of one range, and how it has to be asked for. */
export interface RightRange {
  /** Block before the range. */
  start: number
  startHash: Hex
  startRoot: Hex
  end: number
  /** Of the end of each interval. */
  roots: readonly Hex[]
  interval: number
  imageHash: Hex
}

/** The one claim that can be made where no game is behind the anchor: the interval that follows it. */
export interface RightProposal extends RightRange {
  parent: Hex
  /** Wei. */
  bond: bigint
}

/** How the first wrong root of a game is nullified. */
export interface RightDispute extends RightRange {
  game: Hex
  index: number
  l1Head: Hex
}

/** @param behind default: what stands behind the anchor */
export async function rightProposal(
  caller: WatchedCaller,
  behind?: { parent: Hex; start: bigint },
): Promise<RightProposal> {
  const { disputeGameFactory: factory } = caller.world.description.contracts
  const implementation = (await caller.read(factory, 'gameImpls', [gameType])) as Hex
  const { parent, start } = behind ?? (await anchorOf(caller))
  const { blocks, interval } = await intervalsFrom(caller, implementation, start)
  return {
    ...(await rightRange(caller, implementation, { start: Number(start), blocks, interval })),
    parent: parent.toLowerCase() as Hex,
    bond: (await caller.read(factory, 'initBonds', [gameType])) as bigint,
  }
}

async function anchorOf(caller: WatchedCaller): Promise<{ parent: Hex; start: bigint }> {
  const { anchorStateRegistry } = caller.world.description.contracts
  const [, start] = (await caller.read(anchorStateRegistry!, 'getAnchorRoot')) as [Hex, bigint]
  const anchorGame = (await caller.read(anchorStateRegistry!, 'anchorGame')) as Hex
  return { parent: anchorGame === zeroAddress ? anchorStateRegistry! : anchorGame, start }
}

/** @param game in lower case @param index of its first wrong root */
export async function rightDispute(
  caller: WatchedCaller,
  game: Hex,
  index: number,
): Promise<RightDispute> {
  const [, first] = (await caller.read(game, 'startingOutputRoot')) as [Hex, bigint]
  const { interval } = await intervalsFrom(caller, game, first)
  const start = Number(first) + index * interval
  return {
    ...(await rightRange(caller, game, { start, blocks: interval, interval })),
    game,
    index,
    l1Head: (await caller.read(game, 'l1Head')) as Hex,
  }
}

/** L2 blocks of a game, and between its roots; since Denim the fast ones, where it starts late enough. */
async function intervalsFrom(caller: WatchedCaller, game: Hex, start: bigint) {
  const read = caller.isToday
    ? ((await caller.read(game, 'intervalsForStartingBlock', [start])) as [bigint, bigint])
    : await Promise.all([
        caller.read(game, 'BLOCK_INTERVAL'),
        caller.read(game, 'INTERMEDIATE_BLOCK_INTERVAL'),
      ])
  const [blocks, interval] = read.map(Number) as [number, number]
  return { blocks, interval }
}

async function rightRange(
  caller: WatchedCaller,
  game: Hex,
  { start, blocks, interval }: { start: number; blocks: number; interval: number },
): Promise<RightRange> {
  const ends = Array.from(
    { length: blocks / interval },
    (_, index) => start + (index + 1) * interval,
  )
  const [before, ...outputs] = await Promise.all(
    [start, ...ends].map(async (block) => {
      const output = await caller.rollup.result('optimism_outputAtBlock', [numberToHex(block)])
      return expectObject(output, `output of block ${block}`)
    }),
  )
  const { hash } = expectObject(before!.blockRef, 'blockRef')
  return {
    start,
    startHash: hash as Hex,
    startRoot: before!.outputRoot as Hex,
    end: start + blocks,
    roots: outputs.map(({ outputRoot }) => outputRoot as Hex),
    interval,
    imageHash: (await caller.read(game, 'TEE_IMAGE_HASH')) as Hex,
  }
}
