import type { FaultPlanInput } from '#devnet/faults/fault-plan'
import { BOTH, createStory, LOAD, SIMULATED, type Story } from './story.ts'

/** Blocks of a second, and from the fifth on, five seconds after the start, of 200 ms. */
const WORLD = {
  blockTime: 1,
  upgrades: { azul: 'genesis', denim: 'block 5' },
} as const satisfies FaultPlanInput['world']
/** Milliseconds at which the first block of 200 ms is due. */
const FIRST = 5_000
/** Time for the safe head to come over the boundary, and for a proof of what lies behind it. */
const DURATION = 8_000

type Given = Omit<Parameters<typeof createStory>[1], 'story'>

const crossing = (name: string, story: string, given: Given): Story =>
  createStory(`crossing-${name}`, {
    ...{ story, bodies: SIMULATED, duration: DURATION, load: { ...LOAD, deposits: 60 } },
    ...given,
    world: { ...WORLD, ...given.world },
  })

/** The node's clock goes wrong before the boundary, and right again behind it. */
const skewed = (name: string, story: string, by: number): Story =>
  crossing(`clock-${name}`, story, {
    faults: [{ at: 3_100, until: 6_700, target: 'clock:node', fault: 'skew', with: { by } }],
  })

/** The sequencer dies at this time, and is back a second later. */
const killed = (name: string, story: string, at: number): Story =>
  crossing(`node-killed-${name}`, story, {
    world: { ...WORLD, keepsChain: true },
    faults: [{ at, target: 'process:node', fault: 'kill' }],
  })

/** The day on which blocks of 2 s become blocks of 200 ms (Denim), in bad weather; its source is base/base, "200 ms blocks". */
export const crossingStories: readonly Story[] = [
  crossing('l1-is-far', 'Blocks of 200 ms come while L1 is asked over a slow line.', {
    bodies: BOTH,
    faults: (['link:node-l1', 'link:safe-head-l1', 'link:batcher-l1'] as const).map((target) => ({
      ...{ at: 1_000, until: 7_000, target, fault: 'latency' as const, with: { latency: 300 } },
    })),
  }),
  crossing(
    'l1-reorganized',
    'L1 takes back the blocks that the last slow and the first fast blocks stand on, twice: L2 crosses anew, at the same block.',
    {
      bodies: BOTH,
      faults: [5_400, 6_600].map((at) => ({
        ...{ at, target: 'chain:l1', fault: 'reorg' as const, with: { depth: 3, keep: false } },
      })),
    },
  ),
  crossing(
    'l1-reorganized-past-finality',
    'L1 takes back what was final long behind the boundary: L2 goes back before it.',
    {
      duration: 17_000,
      load: { transfers: 120, deposits: 60, proofs: 10 },
      faults: [{ at: 15_500, target: 'chain:l1', fault: 'reorg', with: { depth: 12 } }],
    },
  ),
  crossing(
    'l1-stands-still',
    'L1 makes no block while L2 crosses: five fast blocks a second are of one origin, and catch up with L1 later.',
    { faults: [{ at: 4_000, until: 6_500, target: 'chain:l1', fault: 'still' }] },
  ),
  crossing(
    'batcher-dead',
    'The batcher stands still over the boundary: one channel then has a span of slow blocks, and each fast block by itself.',
    {
      bodies: BOTH,
      faults: [{ at: 3_200, until: 6_600, target: 'chain:l2', fault: 'batcher_silent' }],
    },
  ),
  crossing(
    'batcher-killed-twice',
    'The batcher dies before and behind the boundary: what it posts again is of the same second, and old.',
    {
      faults: [4_600, 6_100].map((at) => ({
        ...{ at, target: 'process:batcher', fault: 'kill' as const },
      })),
    },
  ),
  crossing(
    'window-expired',
    'The sequencing window runs out over the boundary: L1 fills it with empty blocks, five for each of its seconds.',
    {
      duration: 20_000,
      world: { sequencerWindow: 8 },
      load: { transfers: 120, deposits: 60, proofs: 10 },
      faults: [{ at: 3_000, until: 15_000, target: 'chain:l2', fault: 'window_expired' }],
    },
  ),
  skewed('a-little-ahead', "The sequencer's clock is ahead by less than a slot of 200 ms.", 120),
  skewed('a-little-late', "The sequencer's clock is late by less than a slot of 200 ms.", -120),
  skewed('ahead', "The sequencer's clock is ahead by some slots of 200 ms.", 700),
  skewed(
    'late',
    "The sequencer's clock is late by some slots: blocks come at once, none is left out.",
    -700,
  ),
  skewed(
    'far-ahead',
    "The sequencer's clock is ahead by half a minute: it crosses early, and claims of it are of L1's future (L2TimestampInFuture).",
    30_000,
  ),
  killed('before', 'The sequencer dies as soon as the last slow block is sealed.', FIRST - 950),
  killed('building', 'The sequencer dies while it builds the first fast block.', FIRST - 50),
  killed('at', 'The sequencer dies behind the first fast block.', FIRST + 50),
  killed('after', 'The sequencer dies behind the second fast block.', FIRST + 250),
  crossing(
    'node-stands-still',
    'The sequencer is stopped over the boundary, and then has a second and more of fast blocks to catch up with.',
    {
      faults: [{ at: 4_500, until: 6_300, target: 'process:node', fault: 'stop' }],
    },
  ),
  crossing(
    'old-image',
    'An enclave knows nothing of Denim: what lies behind the boundary it refuses, until it runs the new image.',
    {
      bodies: BOTH,
      duration: 12_000,
      load: { ...LOAD, proofs: 120 },
      faults: [{ at: 500, until: 10_500, target: 'enclave:16', fault: 'old_image' }],
    },
  ),
  crossing(
    'a-late-lie',
    'Whoever has a leaked key comes to L1 only once the weather is over: a challenger nullifies that game, too.',
    {
      load: { transfers: 60, proofs: 10, falseGames: 1 },
      faults: [{ at: 0, until: 7_500, target: 'link:client-l1', fault: 'down' }],
    },
  ),
]
