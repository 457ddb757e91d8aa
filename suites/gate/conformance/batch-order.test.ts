import { afterEach, expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { runConformance } from './run-conformance.ts'
import { selectCases } from './select-cases.ts'
import { type ScriptedTarget, startScriptedTarget, TIP } from './testing-target.ts'

interface Call {
  id: unknown
  method: unknown
  params: unknown[]
}

const targets: ScriptedTarget[] = []
afterEach(async () => {
  for (const target of targets.splice(0)) await target.stop()
})

const ZERO_WORD = `0x${'00'.repeat(32)}`

function answerOne({ id, method, params }: Call) {
  const reply = { jsonrpc: '2.0', id: id ?? null }
  const refuse = (code: number) => ({ ...reply, error: { code, message: 'no' } })
  if (typeof method !== 'string') return refuse(-32600)
  if (method === 'eth_getLogs') return { ...reply, result: [] }
  if (method === 'eth_call') return { ...reply, result: Object(params[0]).data ?? '0x' }
  if (method === 'eth_getStorageAt') return { ...reply, result: ZERO_WORD }
  if (method === 'eth_simulateV1') return { ...reply, result: [] }
  if (method !== 'eth_getBlockByNumber') return refuse(-32601)
  if (params.length < 2) return refuse(-32602)
  return { ...reply, result: params[0] === 'latest' ? TIP : null }
}

/** The verdicts of all cases about batches, on a node that gives the answers in an order of its own. */
async function verdicts(ordered: (answers: ReturnType<typeof answerOne>[]) => unknown[]) {
  const target = await startScriptedTarget(
    (call) => answerOne(Object(call)),
    (answers) => ordered(answers as ReturnType<typeof answerOne>[]),
  )
  targets.push(target)
  const cases = selectCases('rpc.envelope.batch.*').filter(({ needs }) => needs.length === 1)
  const run = await runConformance({ targets: { rpc: target.url }, cases, clock: systemClock })
  return run.cases.map(({ id, verdict }) => [id, verdict])
}

const all = (verdict: string) =>
  ['01', '02', '03', '05', '06', '07'].map((n) => [`rpc.envelope.batch.${n}`, verdict])

// emeraldpay/dshackle#148; JSON-RPC 2.0, section 6: "in any order".
test('given a node that answers batches backwards, then no case about batches fails', async () => {
  expect(await verdicts((answers) => answers.toReversed())).toEqual(all('pass'))
})

test('given a node whose answers have the ids of others, then the cases about batches fail', async () => {
  const found = await verdicts((answers) =>
    answers.map((answer, at) => ({ ...answer, id: answers.at(-1 - at)!.id })),
  )
  expect(found.filter(([, verdict]) => verdict === 'fail').map(([id]) => id)).toEqual([
    'rpc.envelope.batch.02',
    'rpc.envelope.batch.03',
    'rpc.envelope.batch.05',
  ])
})
