import { expect, test } from 'vitest'
import type { CallOutcome, Executor } from '#protocol/execution/executor'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { CallRequest } from '../calls/call-request.ts'
import { word } from '../testing/test-node.ts'
import { createInlineCallRunner } from './create-inline-call-runner.ts'

const REQUEST = {
  stateRoot: word(0),
  environment: { baseFeePerGas: 0n },
  message: {},
  stateOverrides: [],
} as unknown as CallRequest

/** An executor whose calls end when told; it fails when two run at once. */
function slowExecutor() {
  const started: (() => void)[] = []
  let end: ((outcome: Partial<CallOutcome>) => void) | undefined
  const call = () => {
    expect(end).toBeUndefined()
    const outcome = new Promise<CallOutcome>((resolve) => {
      end = (value) => resolve(value as CallOutcome)
    })
    started.shift()?.()
    return outcome
  }
  const executor = { call } as unknown as Executor
  return {
    executor,
    /** Ends the call that runs, or the next one to begin. */
    async finish(outcome: Partial<CallOutcome>) {
      if (!end) await new Promise<void>((resolve) => started.push(resolve))
      const finished = end
      end = undefined
      finished?.(outcome)
    },
  }
}

function createRunner(maxWaiting?: number) {
  const { executor, finish } = slowExecutor()
  const blockHash = async () => undefined
  const runner = createInlineCallRunner({
    executor,
    store: new MemoryStore(),
    blockHash,
    ...(maxWaiting !== undefined && { maxWaiting }),
  })
  return { runner, finish }
}

const signal = new AbortController().signal

test('given several calls, then they run one after the other, in order', async () => {
  const { runner, finish } = createRunner()
  const first = runner.call(REQUEST, signal)
  const second = runner.call(REQUEST, signal)
  await finish({ gasUsed: 1n })
  expect(await first).toMatchObject({ gasUsed: 1n })
  await finish({ gasUsed: 2n })
  expect(await second).toMatchObject({ gasUsed: 2n })
})

test('given a caller that left while waiting, then its call never runs', async () => {
  const { runner, finish } = createRunner()
  const caller = new AbortController()
  const first = runner.call(REQUEST, signal)
  const abandoned = runner.call(REQUEST, caller.signal)
  const third = runner.call(REQUEST, signal)
  caller.abort(new Error('gone'))
  await finish({ gasUsed: 1n })
  await expect(abandoned).rejects.toThrow('gone')
  await finish({ gasUsed: 3n })
  expect(await first).toMatchObject({ gasUsed: 1n })
  expect(await third).toMatchObject({ gasUsed: 3n })
})

test('given too many waiting calls, then one more is -32005', async () => {
  const { runner, finish } = createRunner(2)
  const waiting = [runner.call(REQUEST, signal), runner.call(REQUEST, signal)]
  await expect(runner.call(REQUEST, signal)).rejects.toMatchObject({ rpcCode: -32005 })
  await finish({})
  await finish({})
  await Promise.all(waiting)
})
