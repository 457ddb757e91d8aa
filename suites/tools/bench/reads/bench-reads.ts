import { keccak256 } from 'viem'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { type BenchResult, median, type Row } from '../measurement.ts'
import { type Contestant, startAnvil, startRollbed } from './contestant.ts'
import { load, type Question } from './load.ts'
import { pendingLogs, pendingReads, type ReadCase, sealedReads } from './read-cases.ts'
import { makeScene, nextTransfers } from './scene.ts'

const CONNECTIONS = 16
const ROUNDS = 5
/** Of one contestant's turn. */
const MILLISECONDS = 400
/** Of the first turn, which is not counted: V8 compiles what is hot over some thousand answers. */
const WARM_UP = 2_000
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
    for (const read of sealedReads(maker.scene)) rows.push(await compare(read, ours, anvil))
    for (const { size, reads } of PENDING) {
      const raws = nextTransfers(maker, size)
      for (const contestant of both) await contestant.preconfirm(raws)
      const hashes = raws.map((raw) => keccak256(raw))
      for (const read of reads ? pendingReads(maker.scene, hashes) : []) {
        rows.push(await compare(read, ours, anvil))
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

async function compare(read: ReadCase, ours: Contestant, anvil: Contestant): Promise<Row> {
  if (process.stderr.isTTY) process.stderr.write(`${read.what}\n`)
  const turns = [await turnsOf(read, ours), await turnsOf(read, anvil)] as const
  const rates: [number[], number[]] = [[], []]
  const costs: [number[], number[]] = [[], []]
  for (let round = -1; round < ROUNDS; round++) {
    for (const [who, turn] of turns.entries()) {
      const { rate, cost } = await turn(round < 0 ? WARM_UP : MILLISECONDS)
      if (round < 0) continue
      rates[who]!.push(rate)
      costs[who]!.push(cost)
    }
  }
  const quotients = ([a, b]: [number[], number[]]) => a.map((value, round) => value / b[round]!)
  return {
    what: read.what,
    values: {
      'ours/s': median(rates[0]),
      'anvil/s': median(rates[1]),
      'ours ÷ anvil': median(quotients(rates)),
      'our CPU µs': median(costs[0]),
      'CPU ÷ anvil': median(quotients(costs)),
    },
  }
}

async function alone(read: ReadCase, ours: Contestant): Promise<Row> {
  const turn = await turnsOf(read, ours)
  await turn(WARM_UP)
  const { rate, cost } = await turn(MILLISECONDS)
  return { what: read.what, values: { 'ours/s': rate, 'our CPU µs': cost } }
}

async function turnsOf(read: ReadCase, { url, cpuSeconds, ...contestant }: Contestant) {
  const questions: readonly Question[] = await read.questions({ url, cpuSeconds, ...contestant })
  const connections = read.connections ?? CONNECTIONS
  return async (milliseconds: number) => {
    const [cpu, start] = [cpuSeconds(), performance.now()]
    const rate = await load({ url, questions, connections, milliseconds })
    const answers = (rate * (performance.now() - start)) / 1000
    return { rate, cost: (1e6 * (cpuSeconds() - cpu)) / answers }
  }
}

function geometricMean(rows: readonly Row[]): Row {
  const ratios = rows.flatMap(({ values }) => values['ours ÷ anvil'] ?? [])
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
  return { what: `geometric mean of ${ratios.length} pairs`, values: { 'ours ÷ anvil': mean } }
}
