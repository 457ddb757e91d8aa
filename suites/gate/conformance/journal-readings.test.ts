import { hexToBytes, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { KEY, pack, type Request, resign, type Signed } from '#mocks/zoo/resign-proof'
import { systemClock } from '#protocol/clock/system-clock'
import type { Driver, ProvableRange } from './drivers/driver.ts'
import { runConformance } from './run-conformance.ts'
import { requestFor } from './scenes/proofs.ts'
import { type ScriptedTarget, startScriptedTarget } from './testing-target.ts'
import type { Hex } from './wire/hex.ts'

const root = (index: number): Hex => numberToHex(0xb0_0000 + index, { size: 32 })
const CONFIG = root(100)
const ZERO = root(-0xb0_0000)

/** Blocks 7 to 9: with the interval 3 of OPEN-50's example, 9 / 3 is 3 and the range holds one sample. */
const range: ProvableRange = {
  chainId: 1,
  l1Head: root(90),
  l1HeadNumber: 40,
  agreedHash: root(91),
  agreedNumber: 6,
  agreedRoot: root(6),
  roots: [root(7), root(8), root(9)],
}

let prover: ScriptedTarget
afterEach(() => prover.stop())

/** What a prover answers whose aggregate journal has these roots at an interval. */
async function answerOf(interval: number, rootsOf: (journal: Signed) => readonly Hex[]) {
  const request = { ...requestFor(range), intermediate_block_interval: interval }
  const proposals = range.roots.map((output_root, index) => ({
    output_root,
    signature: '0x',
    l1_origin_hash: range.l1Head,
    l1_origin_number: range.l1HeadNumber,
    l2_block_number: range.agreedNumber + index + 1,
    prev_output_root: root(range.agreedNumber + index),
    config_hash: CONFIG,
  }))
  const aggregate_proposal = { ...proposals.at(-1)!, prev_output_root: range.agreedRoot }
  const Tee = await resign(
    { aggregate_proposal, proposals },
    request as Request,
    { clock: systemClock, ask: async () => null },
    { pack: (j) => pack(j.isAggregate ? { ...j, roots: rootsOf(j) } : j) },
  )
  return { Tee }
}

async function judge(rootsOf: (journal: Signed, interval: number) => readonly Hex[]) {
  const key = [...hexToBytes(privateKeyToAccount(KEY).publicKey)]
  const sparse = await answerOf(2, (journal) => rootsOf(journal, 2))
  const dense = await answerOf(1, (journal) => rootsOf(journal, 1))
  prover = await startScriptedTarget(({ id, method, params }) => {
    const ok = (result: unknown) => ({ jsonrpc: '2.0', id, result })
    if (method === 'enclave_signerPublicKey') return ok([key])
    if (method !== 'prover_prove')
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }
    return ok((params[0] as Request).intermediate_block_interval === 1 ? dense : sparse)
  })
  const driver = { name: 'a range', provableRange: async () => range } as unknown as Driver
  const only = 'journal.layout.aggregate.01,journal.layout.every-root.01'
  const { cases } = await runConformance({ targets: { prover: prover.url }, driver, only })
  return cases.map(({ id, verdict, note }) => ({ id, verdict, note }))
}

const zeros = (count: number) => Array<Hex>(count).fill(ZERO)

describe('an aggregate journal that the gate judges', () => {
  test('given the sampled roots, then it passes without a word', async () => {
    expect(await judge((journal) => journal.roots)).toEqual([
      { id: 'journal.layout.aggregate.01', verdict: 'pass', note: undefined },
      { id: 'journal.layout.every-root.01', verdict: 'pass', note: undefined },
    ])
  })

  // Floor of 9 / 2 is 4, of 9 / 1 is 9.
  test.each<[string, (journal: Signed, interval: number) => readonly Hex[], string, string]>([
    [
      'N as the specification writes it',
      (_, interval) =>
        interval === 2 ? [...zeros(3), root(8)] : [...zeros(6), root(7), root(8), root(9)],
      'N is last block 9 / interval 2 = 4, the words of JRN-15, zeros before the range (OPEN-50)',
      'N is last block 9 / interval 1 = 9, the words of JRN-15, zeros before the range (OPEN-50)',
    ],
    [
      'N so, and the unknown roots behind',
      (journal, interval) => [...journal.roots, ...zeros(interval === 2 ? 3 : 6)],
      'zeros after the range (OPEN-50)',
      'zeros after the range (OPEN-50)',
    ],
    [
      'another end of the list',
      (_, interval) => (interval === 2 ? [root(8), root(9)] : [root(7), root(8)]),
      'the last output root closes the intermediate ones (OPEN-50)',
      'the last intermediate root is left out (OPEN-51)',
    ],
  ])(
    'given %s, then the reading is named and no rule broken (JRN-15)',
    async (_, roots, sparse, dense) => {
      const cases = await judge(roots)
      expect(cases.map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
      expect(cases[0]!.note).toContain(sparse)
      expect(cases[1]!.note).toContain(dense)
    },
  )

  test('given roots that no reading has, then it fails', async () => {
    const cases = await judge((_, interval) => (interval === 2 ? [root(7)] : [root(9), root(8)]))
    expect(cases.map(({ verdict }) => verdict)).toEqual(['fail', 'fail'])
  })
})
