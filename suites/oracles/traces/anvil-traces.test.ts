import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hex } from '#protocol/types/bytes'
import {
  type Accounts,
  agreedAccounts,
  agreedCallFrame,
  agreedFlatTrace,
  agreedStructTraces,
  type CallFrame,
  type FlatTrace,
  isRefusedDeposit,
  type StructTrace,
} from './agreed-form.ts'
import { makeTracedBlock, type TracedBlock } from './make-traced-block.ts'

const TRANSACTIONS = 40
const timeout = 5_000
const firstSeed = Number(process.env.ROLLBED_TRACES_SEED ?? 1)
const seeds = Array.from(
  { length: Number(process.env.ROLLBED_TRACES_SEEDS ?? 2) },
  (_, index) => firstSeed + index,
)
const STRUCT_LOGS = {
  enableMemory: true,
  enableReturnData: true,
  disableStack: false,
  disableStorage: false,
  limit: 0,
}
const PRESTATE = { disableCode: false, disableStorage: false, includeEmpty: false }

/** Call trees, as JSON. */
const traced: string[] = []

describe.each(seeds)('given the random block of seed %i in our executor and in anvil', (seed) => {
  let block: TracedBlock
  let steps: { ours: StructTrace; theirs: StructTrace }[]
  /** Deposits that cannot run have no trace in anvil. */
  let frames: { hash: string; ours: CallFrame; theirs: CallFrame }[]

  beforeAll(async () => {
    block = await makeTracedBlock(seed, TRANSACTIONS)
    const ours = await block.ours({
      tracer: 'callTracer',
      timeout,
      config: { onlyTopCall: false, withLog: true },
    })
    const theirs = await block.theirs({ tracer: 'callTracer', tracerConfig: { withLog: true } })
    const ourSteps = await block.ours({ tracer: 'structLogger', timeout, config: STRUCT_LOGS })
    const theirSteps = await block.theirs({ enableMemory: true, enableReturnData: true })
    steps = block.hashes.map((_, index) => ({
      ours: ourSteps[index] as StructTrace,
      theirs: theirSteps[index] as StructTrace,
    }))
    frames = block.hashes.map((hash, index) => ({
      hash,
      ours: ours[index] as CallFrame,
      theirs: theirs[index] as CallFrame,
    }))
  })

  afterAll(() => block.stop())

  test('then the call trees are the same', () => {
    const run = frames.filter(({ theirs }) => !isRefusedDeposit(theirs))
    expect(run.map(({ hash, ours }) => [hash, agreedCallFrame(ours)])).toEqual(
      run.map(({ hash, theirs }) => [hash, agreedCallFrame(theirs)]),
    )
    traced.push(...run.map(({ ours }) => JSON.stringify(ours)))
  })

  test('then the flat traces are those of trace_transaction', async () => {
    const ours = (await block.ours({
      tracer: 'flatCallTracer',
      timeout,
      // anvil tells of them all.
      config: { includePrecompiles: true },
    })) as FlatTrace[][]
    const theirs = (await block.theirFlatTraces()) as FlatTrace[][]
    const run = frames.flatMap((frame, at) => (isRefusedDeposit(frame.theirs) ? [] : [at]))
    expect(run.map((at) => ours[at]!.map(agreedFlatTrace))).toEqual(
      run.map((at) => theirs[at]!.map(agreedFlatTrace)),
    )
  })

  test('then the steps are the same, with stack, memory and return data', () => {
    const agreed = steps.map(({ ours, theirs }) => agreedStructTraces(ours, theirs))
    expect(agreed.map(({ ours }) => ours)).toEqual(agreed.map(({ theirs }) => theirs))
  })

  test('then the accounts before are the same', async () => {
    const config = { ...PRESTATE, diffMode: false }
    const ours = (await block.ours({ tracer: 'prestateTracer', timeout, config })) as Accounts[]
    const theirs = (await block.theirs({ tracer: 'prestateTracer' })) as Accounts[]
    // Beside them go-ethereum looks at signers of authorizations that do not count, and anvil at the
    // access list and at what a step is about that then cannot be paid.
    let sharedCount = 0
    for (const [index, { theirs: trace }] of steps.entries()) {
      if (trace.structLogs.some(({ error }) => error !== undefined)) continue
      const [mine, other] = [agreedAccounts(ours[index]!), agreedAccounts(theirs[index]!)]
      const shared = Object.keys(mine).filter((address) => address in other) as Hex[]
      sharedCount += shared.length
      for (const address of shared) expect(mine[address]).toEqual(other[address])
    }
    expect(sharedCount).toBeGreaterThan(steps.length / 2)
  })

  test('then what has changed is the same', async () => {
    type Diff = Record<'pre' | 'post', Accounts>
    const agreed = ({ pre, post }: Diff) => ({
      pre: agreedAccounts(pre, true),
      post: agreedAccounts(post, true),
    })
    const config = { ...PRESTATE, diffMode: true }
    const ours = (await block.ours({ tracer: 'prestateTracer', timeout, config })) as Diff[]
    const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
    const theirs = (await block.theirs(options)) as Diff[]
    expect(ours.map(agreed)).toEqual(theirs.map(agreed))
  })

  test('then selectors are counted as anvil has called them', async () => {
    const ours = await block.ours({ tracer: '4byteTracer', timeout })
    expect(ours).toEqual(
      frames.map(({ theirs }) => (isRefusedDeposit(theirs) ? {} : countSelectors(theirs))),
    )
  })
})

test('given the blocks of all seeds, then something happens in them', () => {
  for (const part of ['calls', 'logs', 'error', 'CREATE', 'DELEGATECALL', 'STATICCALL']) {
    expect(traced.filter((frame) => frame.includes(part)).length).toBeGreaterThan(0)
  }
})

/** The 4byteTracer's answer, from a call tree: anvil's own also counts precompiles. */
function countSelectors(root: CallFrame): Record<string, number> {
  const counts: Record<string, number> = {}
  const visit = (frame: CallFrame) => {
    const size = frame.input.length / 2 - 1
    if (frame.type.includes('CALL') && size >= 4 && !isPrecompile(frame.to!)) {
      const key = `${frame.input.slice(0, 10)}-${size - 4}`
      counts[key] = (counts[key] ?? 0) + 1
    }
    for (const inner of frame.calls ?? []) visit(inner)
  }
  visit(root)
  return counts
}

/** Prague's 1 to 17, and P256VERIFY. */
function isPrecompile(address: string): boolean {
  return ['100', ...Array.from({ length: 17 }, (_, index) => (index + 1).toString(16))].some(
    (number) => address === `0x${number.padStart(40, '0')}`,
  )
}
