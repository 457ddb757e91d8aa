import { AnvilProcess } from '#devnet/l1/anvil-process'
import { startDevnet } from '#devnet/start-devnet'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'
import { type BenchResult, median, time } from './measurement.ts'

const ROUNDS = 5

/** From the command to ready: the whole devnet beside a bare anvil; and in a process that knows it. */
export async function benchStartUp(): Promise<BenchResult> {
  const [rollbed, anvil, inProcess]: [number[], number[], number[]] = [[], [], []]
  for (let round = -1; round < ROUNDS; round++) {
    const devnet = new RollbedProcess(['up', '--json', '--port-base', '0'])
    const ours = await time(() => devnet.ready()).finally(() => devnet.stop())
    const bare = new AnvilProcess({ port: 0 })
    const theirs = await time(() => bare.start()).finally(() => bare.stop())
    let devnetHere: Awaited<ReturnType<typeof startDevnet>> | undefined
    const here = await time(async () => {
      devnetHere = await startDevnet({ logLevel: 'silent' })
    })
    await devnetHere!.stop()
    if (round < 0) continue
    inProcess.push(here)
    rollbed.push(ours)
    anvil.push(theirs)
  }
  const [ours, again, theirs] = [median(rollbed), median(inProcess), median(anvil)]
  return {
    title: 'Start-up',
    note: `Medians of ${ROUNDS}. The devnet has an anvil of its own in it, the contracts, and an enclave.`,
    rows: [
      { what: 'rollbed up', values: { ms: ours, '÷ anvil': ours / theirs } },
      { what: 'startDevnet(), not the first', values: { ms: again, '÷ anvil': again / theirs } },
      { what: 'anvil', values: { ms: theirs, '÷ anvil': 1 } },
    ],
  }
}
