import { AnvilProcess } from '../../devnet/l1/anvil-process.ts'
import { RollbedProcess } from '../end-to-end/rollbed-process.ts'
import { type BenchResult, median, time } from './measurement.ts'

const ROUNDS = 5

/** From the command to ready: the whole devnet beside a bare anvil. */
export async function benchStartUp(): Promise<BenchResult> {
  const [rollbed, anvil]: [number[], number[]] = [[], []]
  for (let round = -1; round < ROUNDS; round++) {
    const devnet = new RollbedProcess(['up', '--json', '--port-base', '0'])
    const ours = await time(() => devnet.ready()).finally(() => devnet.stop())
    const bare = new AnvilProcess({ port: 0 })
    const theirs = await time(() => bare.start()).finally(() => bare.stop())
    if (round < 0) continue
    rollbed.push(ours)
    anvil.push(theirs)
  }
  const [ours, theirs] = [median(rollbed), median(anvil)]
  return {
    title: 'Start-up',
    note: `Medians of ${ROUNDS}. The devnet has an anvil of its own in it, the contracts, and an enclave.`,
    rows: [
      { what: 'rollbed up', values: { ms: ours, '÷ anvil': ours / theirs } },
      { what: 'anvil', values: { ms: theirs, '÷ anvil': 1 } },
    ],
  }
}
