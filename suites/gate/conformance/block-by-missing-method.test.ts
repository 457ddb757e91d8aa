import { expect, test } from 'vitest'
import { sampleCase } from '#reports/sample-run'
import { blockByMissingMethod } from './block-by-missing-method.ts'

const judged = (id: string, verdict: 'fail' | 'pass', methods: Record<string, boolean>) => ({
  result: sampleCase({ id, verdict }),
  methods: new Map(Object.entries(methods)),
})
const verdicts = (cases: ReturnType<typeof judged>[]) =>
  blockByMissingMethod(cases).map(({ id, verdict, blockedBy }) => [id, verdict, blockedBy])

test('given a method that is missing, then the case that asks for it fails and blocks the others', () => {
  expect(
    verdicts([
      judged('rpc.simulate.gas.01', 'fail', { eth_simulateV1: false, eth_call: true }),
      judged('rpc.envelope.method-eth-simulatev1.01', 'fail', { eth_simulateV1: false }),
      judged('rpc.call.gas.01', 'fail', { eth_call: true }),
      judged('rpc.block.hash.01', 'pass', { eth_getBlockByNumber: true }),
    ]),
  ).toEqual([
    ['rpc.simulate.gas.01', 'not-applicable', 'rpc.envelope.method-eth-simulatev1.01'],
    ['rpc.envelope.method-eth-simulatev1.01', 'fail', undefined],
    ['rpc.call.gas.01', 'fail', undefined],
    ['rpc.block.hash.01', 'pass', undefined],
  ])
})

test('given no case that asks for it, then the first that needed it fails', () => {
  expect(
    verdicts([
      judged('rpc.a.01', 'fail', { eth_getStorageAt: false }),
      judged('rpc.b.01', 'fail', { eth_getStorageAt: false }),
    ]).map(([, verdict]) => verdict),
  ).toEqual(['fail', 'not-applicable'])
})

test('given a scene that asks for a missing method, when its chain stops, then its cases stay unknown', () => {
  const methods = { eth_simulateV1: false, eth_getLogs: true }
  const unknown = (id: string, reason: string) => {
    const one = judged(id, 'fail', methods)
    return { ...one, result: { ...one.result, verdict: 'unknown' as const, reason } }
  }
  const cases = [
    judged('rpc.envelope.method-eth-simulatev1.01', 'fail', { eth_simulateV1: false }),
    unknown('rpc.getlogs.pending-both.01', 'Transaction 0x01 was not sealed in time.'),
    unknown('rpc.simulate.order.01', 'The node has no eth_simulateV1.'),
  ]
  expect(blockByMissingMethod(cases).map(({ verdict }) => verdict)).toEqual([
    'fail',
    'unknown',
    'not-applicable',
  ])
})

test('given a method that is answered now and then, then nothing is blocked', () => {
  expect(
    verdicts([
      judged('rpc.a.01', 'fail', { eth_call: false }),
      judged('rpc.b.01', 'fail', { eth_call: true }),
    ]).map(([, verdict]) => verdict),
  ).toEqual(['fail', 'fail'])
})

test('given a scene that asks for a missing method, when its case fails elsewhere, then that stays a failure', () => {
  const methods = { eth_simulateV1: false, eth_getLogs: true }
  const failing = (id: string, at: string) => {
    const one = judged(id, 'fail', methods)
    return { ...one, result: { ...one.result, failure: { at, expected: 1, actual: 0 } } }
  }
  expect(
    verdicts([
      judged('rpc.envelope.method-eth-simulatev1.01', 'fail', { eth_simulateV1: false }),
      failing('rpc.getlogs.pending-both.01', 'logs of the pre-confirmed transaction'),
      failing('rpc.simulate.order.01', 'response to eth_simulateV1'),
    ]).map(([, verdict]) => verdict),
  ).toEqual(['fail', 'fail', 'not-applicable'])
})
