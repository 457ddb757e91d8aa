import { keccak256 } from 'viem'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import type { BenchResult, Row } from '../measurement.ts'
import { CONNECTIONS, compareRead, ROUNDS, TURN, turnsOf, warmUp } from './compare-read.ts'
import { type Contestant, startAnvil, startRollbed } from './contestant.ts'
import type { ReadCase } from './read-case.ts'
import { pendingLogs, pendingReads, sealedReads } from './read-cases.ts'
import { makeScene, nextTransfers } from './scene.ts'

/** Transactions of the block being built; of some sizes only the logs are read, which anvil has not. */
const PENDING = [
  { size: 10, reads: false },
  { size: 50, reads: true },
  { size: 200, reads: true },
  { size: 500, reads: false },
]

/** Every kind of read over HTTP, from the devnet and from a bare anvil in turns. */
export async function benchReads(): Promise<BenchResult> {
  const resources = new ResourceStack()
  try {
    const ours = resources.add(await startRollbed())
    const anvil = resources.add(await startAnvil())
    const both = [ours, anvil]
    const maker = await makeScene(both)
    const rows: Row[] = []
    for (const read of sealedReads(maker.scene)) rows.push(await compareRead(read, ours, anvil))
    for (const { size, reads } of PENDING) {
      const raws = nextTransfers(maker, size)
      for (const contestant of both) await contestant.preconfirm(raws)
      const hashes = raws.map((raw) => keccak256(raw))
      for (const read of reads ? pendingReads(maker.scene, hashes) : []) {
        rows.push(await compareRead(read, ours, anvil))
      }
      for (const read of pendingLogs(maker.scene, size)) rows.push(await alone(read, ours))
      for (const contestant of both) await contestant.mine([])
    }
    rows.push(geometricMean(rows))
    return {
      title: 'Reads over HTTP, the devnet and a bare anvil in turns',
      note: [
        `Answers per second, over ${CONNECTIONS} connections (2 for heavy calls and traces), arguments`,
        `varied, every answer checked; medians of ${ROUNDS} turns. CPU: time of the server's process per`,
        'answer, which other load on the machine changes less.',
      ].join('\n'),
      rows,
    }
  } finally {
    await resources.stop()
  }
}

async function alone(read: ReadCase, ours: Contestant): Promise<Row> {
  const turn = await turnsOf(read, ours)
  await warmUp([turn])
  const { rate, cost } = await turn(TURN)
  return { what: read.what, values: { 'ours/s': rate, 'our CPU µs': cost } }
}

function geometricMean(rows: readonly Row[]): Row {
  const ratios = rows.flatMap(({ values }) => values['ours ÷ anvil'] ?? [])
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
  return { what: `geometric mean of ${ratios.length} pairs`, values: { 'ours ÷ anvil': mean } }
}
