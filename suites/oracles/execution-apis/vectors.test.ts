import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { holdEvidence } from '../evidence/evidence.ts'
import { executorDigest } from '../evidence/executor-digest.ts'
import { compareAnswer } from './compare-answer.ts'
import { importChain } from './import-chain.ts'
import { encodeSampleChain, makeSampleChain } from './make-sample-chain.ts'
import { readVectors } from './read-vectors.ts'
import { runVectors } from './run-vectors.ts'

/** `tests` of ethereum/execution-apis. */
const directory = process.env.ROLLBED_EXECUTION_APIS
const SOURCE = 'github.com/ethereum/execution-apis'

interface KnownDifference {
  reason: string
  vectors: string[]
}

const known: KnownDifference[] = parse(
  readFileSync(join(import.meta.dirname, 'known-differences.yaml'), 'utf8'),
)

test('given a chain and vectors of ours, when they are run, then only the wrong answer differs', async () => {
  const files = mkdtempSync(join(tmpdir(), 'rollbed-vectors-'))
  onTestFinished(() => rmSync(files, { recursive: true, force: true }))
  const sample = await makeSampleChain()
  writeFileSync(join(files, 'genesis.json'), JSON.stringify(sample.genesis))
  writeFileSync(join(files, 'chain.rlp'), encodeSampleChain(sample))
  const { chain } = await importChain(files)
  const write = (name: string, result: unknown, params: unknown[] = [], head = '') => {
    const [method] = name.split('/')
    const lines = [
      `>> ${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}`,
      `<< ${JSON.stringify({ jsonrpc: '2.0', id: 1, ...(result as object) })}`,
    ]
    mkdirSync(join(files, method!), { recursive: true })
    writeFileSync(join(files, `${name}.io`), `${head}${lines.join('\n')}\n`)
  }
  write('eth_blockNumber/right', { result: '0x1' })
  write('eth_blockNumber/shape', { result: '0x77' }, [], '// speconly: only the shape\n')
  write('eth_blockNumber/wrong', { result: '0x2' })
  const refusal = { error: { code: -32602, message: 'in the words of another' } }
  write('eth_getBlockByNumber/refused', refusal, ['1', false])
  const { hash } = chain.latest()
  write('eth_getTransactionCount/by-hash', { result: '0x0' }, [`0x${'77'.repeat(20)}`, hash])
  const results = await runVectors(readVectors(files), chain)
  expect(results.map(({ name, agreement }) => `${name} ${agreement}`)).toEqual([
    'eth_blockNumber/right exact',
    'eth_blockNumber/shape shape',
    'eth_blockNumber/wrong differs',
    'eth_getBlockByNumber/refused worded',
    'eth_getTransactionCount/by-hash exact',
  ])
})

test('given answers that differ in one place, then that place is named', () => {
  const expected = { result: { calls: [{ status: '0x1' }] } }
  const other = { result: { calls: [{ status: '0x0' }] } }
  expect(compareAnswer(other, expected, false)).toEqual({
    agreement: 'differs',
    where: 'result.calls.0.status: "0x0", not "0x1"',
  })
  expect(compareAnswer(other, expected, true).agreement).toBe('shape')
  const error = { code: 3, message: 'execution reverted', data: '0x12' }
  const withoutData = { error: { code: 3, message: 'execution reverted' } }
  expect(compareAnswer(withoutData, { error }, false).agreement).toBe('differs')
})

test.skipIf(!directory)(
  'given the files in ROLLBED_EXECUTION_APIS, when a node serves their chain, then it differs where it is known to',
  async () => {
    const { report, chain } = await importChain(directory!)
    holdEvidence('execution-apis-chain', {
      body: 'The test chain of execution-apis',
      source: SOURCE,
      against: 'our executor from Prague on, and its EVM, state, tries and receipts before',
      executor: executorDigest(),
      counts: { 'blocks with equal roots': report.early + report.executed },
      leftOut: { 'blocks before Prague run by rules of the suite': report.early },
    })
    const results = await runVectors(readVectors(directory!), chain)
    const count = (agreement: string, prefix = '') =>
      results.filter((one) => one.agreement === agreement && one.name.startsWith(prefix)).length
    holdEvidence('execution-apis-vectors', {
      body: 'The RPC vectors of execution-apis, answered from that chain',
      source: SOURCE,
      against: 'the methods of the node in profile base',
      executor: executorDigest(),
      counts: {
        'equal in every member and value': count('exact'),
        'equal refusals in other words': count('worded'),
        'equal in shape, where only that is given': count('shape'),
        'of eth_simulateV1: equal in every member and value': count('exact', 'eth_simulateV1'),
        'of eth_simulateV1: equal refusals in other words': count('worded', 'eth_simulateV1'),
      },
      leftOut: Object.fromEntries(known.map(({ reason, vectors }) => [reason, vectors.length])),
    })
    const differing = results.filter(({ agreement }) => agreement === 'differs')
    const listed = known.flatMap(({ vectors }) => vectors)
    expect(differing.map(({ name }) => name).toSorted()).toEqual(listed.toSorted())
  },
)
