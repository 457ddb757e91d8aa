import type { UpgradeOptions } from '#devnet/base/options/upgrade-options'
import type { ChainView } from '#devnet/l2/node/chain-view'
import { timestampMs } from '#protocol/derivation/base-time'
import { isDeposit } from '#protocol/types/transaction'
import type { ChaoticL1Counts } from './chaotic-l1.ts'
import { startRollupWorld, type WorldCounts } from './rollup-world.ts'

/** L1 blocks; a chain that needs more of them to finalize what it has does not go on. */
const PATIENCE = 150

export interface WorldRun {
  seed: number
  /** Block hashes of the follower's chain by number. */
  followed: string[]
  /** Of the sequencer's, up to the same number. */
  sequenced: string[]
  /** Of somebody who derives it at the end from L1 as it is then. */
  derivedLate: string[]
  /** What must never be, as a sentence each. */
  violations: string[]
  userTransactions: number
  /** Of the follower's chain by number: milliseconds since its first block. */
  times: number[]
  /** Numbers of blocks that the sequencer took back. */
  removed: ReadonlySet<number>
  counts: WorldCounts & ChaoticL1Counts
}

interface RunOptions {
  upgrades?: UpgradeOptions
  /** L1 drops four blocks once, when the sequencer has this block. */
  reorgAt?: bigint
}

/** Lets everything go wrong for so many blocks, then nothing until L1 has finalized them. */
export async function runWorld(
  seed: number,
  blocks: bigint,
  { upgrades, reorgAt }: RunOptions = {},
): Promise<WorldRun> {
  const world = await startRollupWorld(seed, upgrades ?? {})
  const { node, follower, l1 } = world
  const violations: string[] = []
  const removed = new Set<number>()
  world.node.chain.on('reorg', (event) => {
    for (const { header } of event.removed) removed.add(Number(header.number))
  })
  let reorgs = reorgAt === undefined ? 0 : 1
  try {
    let finalized = 0n
    const step = async () => {
      const { finalityBroken } = world.counts
      const isDue = reorgs > 0 && node.chain.latest().header.number >= reorgAt!
      if (isDue) reorgs--
      await world.step(isDue ? 4 : 0)
      violations.push(...differences(node.chain, follower.chain))
      const now = follower.chain.finalized().header.number
      if (now < finalized && world.counts.finalityBroken === finalityBroken)
        violations.push(`finalized went back from ${finalized} to ${now}`)
      finalized = now
    }
    while (follower.chain.safe().header.number < blocks) await step()
    l1.isChaotic = false
    const target = node.chain.latest().header.number
    for (let i = 0; i < PATIENCE && finalized < target; i++) await step()
    if (finalized < target) violations.push(`the chain stands still at ${finalized}`)
    const followed = hashes(follower.chain)
    return {
      seed,
      followed,
      sequenced: hashes(node.chain).slice(0, followed.length),
      derivedLate: hashes((await world.latecomer()).chain),
      violations,
      userTransactions: userTransactions(follower.chain),
      times: times(follower.chain),
      removed,
      counts: { ...world.counts, ...l1.counts },
    }
  } finally {
    await world.stop()
  }
}

/** What is safe or final to the sequencer is so in the follower's chain. */
function differences(sequencer: ChainView, follower: ChainView): string[] {
  const heads = [sequencer.safe(), sequencer.finalized()]
  return heads
    .filter(({ header, hash }) => {
      const { number } = header
      return (
        number <= follower.latest().header.number && follower.blockByNumber(number)?.hash !== hash
      )
    })
    .map(({ header }) => `block ${header.number} differs`)
}

function chainOf(chain: ChainView) {
  const count = Number(chain.safe().header.number) + 1
  return Array.from({ length: count }, (_, number) => chain.blockByNumber(BigInt(number))!)
}

function hashes(chain: ChainView): string[] {
  return chainOf(chain).map(({ hash }) => hash)
}

function userTransactions(chain: ChainView): number {
  return chainOf(chain).flatMap(({ transactions }) =>
    transactions.filter((each) => !isDeposit(each)),
  ).length
}

function times(chain: ChainView): number[] {
  const [first, ...rest] = chainOf(chain).map(timestampMs)
  return [0, ...rest.map((time) => Number(time - first!))]
}
