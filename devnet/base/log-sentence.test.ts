import { expect, test, vi } from 'vitest'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { createLogger } from './create-logger.ts'
import { logSentence } from './log-sentence.ts'

test.each([
  [
    { level: 40, msg: 'L1 was reorganised; building anew', to: 7, removed: 2 },
    'warning: L1 was reorganised; building anew (to 7, removed 2).',
  ],
  [
    { level: 40, time: 1, msg: 'safe went back; posting batches again', safe: 3 },
    'warning: Safe went back; posting batches again (safe 3).',
  ],
  [{ level: 30, msg: 'ready', l1Head: '12', wait: undefined }, 'Ready (l1 head 12).'],
  [{ level: 30, msg: 'It stands. ', signers: ['a'] }, 'It stands (signers ["a"]).'],
])('given %j, then it is a sentence', (line, words) => {
  expect(logSentence(line)).toBe(words)
})

test('given an error with a code and a hint, when it is logged as text, then both are told in one line, and no stack', () => {
  const lines: unknown[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(text) > 0)
  const error = new RollbedError('HISTORY_NOT_WRITTEN', 'The disk is full.', { hint: 'Free some.' })
  const logger = createLogger('warn', 'text')
  logger.info('not heard')
  logger.error(error, 'flashblock failed')
  logger.error(error)
  vi.restoreAllMocks()
  expect(lines).toEqual([
    'error: Flashblock failed. HISTORY_NOT_WRITTEN: The disk is full. Free some.\n',
    'error: The disk is full. Free some.\n',
  ])
})
