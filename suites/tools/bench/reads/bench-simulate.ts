import { ResourceStack } from '#devnet/base/process/owned-resource'
import type { BenchResult, Row } from '../measurement.ts'
import { compareRead } from './compare-read.ts'
import { startAnvil, startRollbed } from './contestant.ts'
import { makeScene } from './scene.ts'
import { simulationCase } from './simulation-case.ts'

const SIZES = [
  { blocks: 1, calls: 1 },
  { blocks: 1, calls: 10 },
  { blocks: 1, calls: 100 },
  { blocks: 1, calls: 1_000 },
  { blocks: 10, calls: 1 },
  { blocks: 10, calls: 10 },
  { blocks: 64, calls: 1 },
  { blocks: 256, calls: 1 },
]
/** From so many calls on an answer takes milliseconds, and two connections keep a server busy. */
const HEAVY = 64

/** `eth_simulateV1` by calls and by blocks, from the devnet and from a bare anvil in turns. */
export async function benchSimulate(): Promise<BenchResult> {
  const resources = new ResourceStack()
  try {
    const ours = resources.add(await startRollbed())
    const anvil = resources.add(await startAnvil())
    const { scene } = await makeScene([ours, anvil])
    const rows: Row[] = []
    for (const size of SIZES) {
      const ask = (at: { connections?: number }) =>
        compareRead(simulationCase(scene, { ...size, ...at }), ours, anvil)
      const { what, values } = await ask(size.blocks * size.calls < HEAVY ? {} : { connections: 2 })
      const alone = await ask({ connections: 1 })
      rows.push({
        what,
        values: {
          ...values,
          'one by one: ours ÷ anvil': alone.values['ours ÷ anvil']!,
          'our CPU µs per call': values['our CPU µs']! / (size.blocks * size.calls),
        },
      })
    }
    return {
      title: 'How eth_simulateV1 grows, the devnet and a bare anvil in turns',
      note: [
        'Token transfers. Answers per second over HTTP, every answer checked; medians. CPU: time of the server.',
        'Over 16 connections, heavy ones over 2; one by one: over a single one, so that no question waits for another.',
      ].join('\n'),
      rows,
    }
  } finally {
    await resources.stop()
  }
}
