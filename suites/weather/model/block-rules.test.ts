import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../checkers/checker.ts'
import { parseLog } from '../judge-log.ts'
import { blocksAreExecuted, blocksAreWhole } from './model-checkers.ts'

/** The first blocks of a world with transfers, logs, deposits and a withdrawal: each hash commits to its header. */
const sample = readFileSync(join(import.meta.dirname, 'sample.ndjson'), 'utf8')

type Told = Record<string, Record<string, string>[] & Record<string, string>>

/** What is found once a thing in block 3 of the sample is another. */
function problemsWith(change: (block: Told) => void): string[] {
  const events: LoggedEvent[] = parseLog(sample)
  const block = events.find(({ what, data }) => what === 'l2.block' && data.number === 3)!
  change(block.data as Told)
  return [blocksAreWhole, blocksAreExecuted].flatMap((checker) =>
    checker.safety(events).map(({ problem }) => problem),
  )
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
