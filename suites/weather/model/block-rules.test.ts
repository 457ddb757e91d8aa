import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../checkers/checker.ts'
import { parseLog } from '../judge-log.ts'
import { answersAreTrue } from './answers.ts'
import { blocksAreExecuted, blocksAreWhole, proofsAreOfTheChain } from './model-checkers.ts'

/** The first blocks of a world with transfers, logs, deposits and a withdrawal: each hash commits to its header. */
const sample = readFileSync(join(import.meta.dirname, 'sample.ndjson'), 'utf8')

type Seen = Record<string, Record<string, string>[] & Record<string, string>>

const CHECKERS = [blocksAreWhole, blocksAreExecuted, answersAreTrue, proofsAreOfTheChain]

/** What is found once a thing in block 3 of the sample, or in the first of other events, is another. */
function problemsWith(change: (seen: Seen) => void, kind = 'l2.block'): string[] {
  const events: LoggedEvent[] = parseLog(sample)
  const event = events.find(
    ({ what, data }) => what === kind && (kind !== 'l2.block' || data.number === 3),
  )!
  change(event.data as Seen)
  return CHECKERS.flatMap((checker) => checker.safety(events).map(({ problem }) => problem))
}

test('given blocks as they were told, then nothing is found', () => {
  expect(problemsWith(() => {})).toEqual([])
})

const HEADER_MEMBERS = [
  ...['parentHash', 'sha3Uncles', 'miner', 'transactionsRoot', 'receiptsRoot', 'logsBloom'],
  ...['difficulty', 'number', 'gasUsed', 'mixHash', 'nonce', 'withdrawalsRoot', 'blobGasUsed'],
  ...['excessBlobGas', 'requestsHash', 'parentBeaconBlockRoot'],
]

describe('a header', () => {
  test.each(HEADER_MEMBERS)('given another %s, then it is named', (name) => {
    const problems = problemsWith(({ header }) => {
      header![name] = `${header![name]!.slice(0, -1)}${header![name]!.endsWith('7') ? 3 : 7}`
    })
    expect(problems.join()).toContain(`Block 3 has ${name} `)
  })

  test.each(['stateRoot', 'timestamp', 'gasLimit', 'baseFeePerGas', 'extraData'])(
    'given another %s, then its hash is not the one that was told',
    (name) => {
      const problems = problemsWith(({ header }) => {
        header![name] = header!.mixHash!
      })
      expect(problems.join()).toContain('Block 3 is told as ')
    },
  )
})

/** From which byte of the first transaction's input, which ends with two bytes of what L1's data costs. */
const ATTRIBUTES: Readonly<Record<string, number>> = {
  'selector and fee scalars': 7,
  'L1 time': 27,
  'L1 base fee': 67,
  'L1 blob base fee': 99,
  'batcher and other scalars': 177,
}

test.each(Object.entries(ATTRIBUTES))(
  'given attributes with another %s, then it is named',
  (name, at) => {
    const problems = problemsWith(({ transactions }) => {
      const input = transactions![0]!.input!
      const byte = input.slice(2 + 2 * at, 4 + 2 * at) === '09' ? '05' : '09'
      transactions![0]!.input = input.slice(0, 2 + 2 * at) + byte + input.slice(4 + 2 * at)
    })
    expect(problems.join()).toContain(`Block 3 has attributes whose ${name} is `)
  },
)

test.each([
  ['l1Fee', ' wei for L1, not '],
  ['blobGasUsed', ' of the room on L1, not '],
  ['status', 'Block 3 has receiptsRoot '],
  ['gasUsed', 'Block 3 has gasUsed '],
])('given a receipt with another %s, then it is found', (name, sentence) => {
  const problems = problemsWith(({ receipts }) => {
    receipts!.at(-1)![name] = '0x5'
  })
  expect(problems.join()).toContain(sentence)
})

/** Another last digit. */
const turned = (hex: string) => `${hex.slice(0, -1)}${hex.endsWith('7') ? 3 : 7}`

describe('an answer', () => {
  test('given another output root, then it is found', () => {
    const change = (seen: Seen) => void Object.assign(seen, { root: turned(String(seen.root)) })
    expect(problemsWith(change, 'output.seen').join()).toContain('The output root of block ')
  })

  test.each([
    ['account', ' does not lead to the state root.'],
    ['storage', ' does not lead from the account to its storage.'],
  ])(
    'given a node of the proof of the %s with another digit, then it shows nothing',
    (name, end) => {
      const change = (seen: Seen) => {
        const nodes = seen[name] as unknown as string[]
        nodes[0] = turned(nodes[0]!)
      }
      expect(problemsWith(change, 'proof.seen').join()).toContain(end)
    },
  )

  test('given a proof that is said to be of another block, then it does not lead there', () => {
    const change = (seen: Seen) => void Object.assign(seen, { at: '0x2' })
    expect(problemsWith(change, 'proof.seen').join()).toContain('does not lead to the state root.')
  })

  test.each(['blockNumber', 'transactionIndex', 'from', 'to', 'cumulativeGasUsed', 'type'])(
    'given a receipt with another %s, then it is named',
    (name) => {
      const change = (seen: Seen) => void Object.assign(seen.receipt!, { [name]: '0x77' })
      expect(problemsWith(change, 'receipt.seen').join()).toContain(` has ${name} "0x77", not `)
    },
  )
})

type Proof = { aggregate_proposal: Record<string, unknown>; proposals: Record<string, unknown>[] }

describe('a proof of two blocks', () => {
  const problemsWithProof = (change: (proof: Proof) => void) =>
    problemsWith((seen) => change(seen.proof as unknown as Proof), 'proof.made').join()

  test.each([
    ...['output_root', 'prev_output_root', 'l1_origin_hash', 'l1_origin_number', 'config_hash'],
    ...['l2_block_number', 'signature'],
  ])('given another %s in the aggregate or in a part, then it is found', (name) => {
    for (const which of ['aggregate_proposal', 'proposals'] as const) {
      const problems = problemsWithProof((proof) => {
        const seen = which === 'proposals' ? proof.proposals[1]! : proof.aggregate_proposal
        // Of a signature the last byte says which of two keys it is of.
        seen[name] = typeof seen[name] === 'number' ? 1_000 : turned(String(seen[name]))
      })
      expect(problems).toContain(which === 'proposals' ? 'has in part 1 ' : 'has in the aggregate ')
    }
  })

  test('given a part less, then it is found', () => {
    expect(problemsWithProof(({ proposals }) => proposals.pop())).toContain(
      ' has 1 proposals for 2',
    )
  })
})
