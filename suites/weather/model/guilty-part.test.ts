import { expect, test } from 'vitest'
import type { LoggedEvent } from '../checkers/checker.ts'
import { guiltyPart } from './guilty-part.ts'

const event = (t: number, what: string, data: object, who = 'r'): LoggedEvent => ({
  ...{ t, who, what },
  data: { ...data },
})
const head = (t: number, number: number) => event(t, 'l2.head', { number, hash: '0x', asked: t })
const tried = (probe: string) => event(90, 'probe.done', { probe })
const over = event(50, 'weather.over', {})
const stood = [head(40, 7), over, head(80, 7)]
const grew = [head(40, 7), over, head(80, 9)]
const again = (probe: string, why = '') => ({
  ...{ checker: 'works-again', t: 90, problem: `${probe} did not work again in 60000 ms: ${why}` },
})

const HASH = `0x${'51'.repeat(32)}`
const pooled = event(3, 'pooled', { hash: HASH }, 'node')
const gaveUp = event(3, 'dropped', { transactions: ['0xa', HASH] }, 'node')

test.each([
  ['values-are-true', 'a wrong balance', [], 'node'],
  ['blocks-are-executed', 'Transaction 0x1 has logs of nothing.', [], 'sequencer'],
  ['blocks-are-executed', 'Transaction 0x1 counts its logs as 0.', [], 'node'],
  ['blocks-are-executed', 'Transaction 0x1 names its contract as 0x2, not 0x3.', [], 'node'],
  ['safe-is-on-l1', 'Block 8 is final, and L1 has it in block 12 of 14.', [], 'safe head'],
  ['accepted-comes', `Transaction ${HASH} was accepted.`, [], 'mempool'],
  ['accepted-comes', `Transaction ${HASH} was accepted.`, [pooled, gaveUp], 'sequencer'],
  ['accepted-comes', `Transaction ${HASH} was accepted.`, [gaveUp, pooled], 'mempool'],
  ['requests-end', "client.1's register to api never ended.", [], 'builder codes'],
  ['blocks-follow', 'Block 4 does not stand on block 3.', [], 'sequencer'],
  ['blocks-follow', 'Block 4 died.', [event(1, 'ended', {}, 'node')], 'kept chain'],
] as const)('given %s is broken: %s, then its maker is named', (checker, problem, events, part) => {
  expect(guiltyPart([{ checker, t: 5, problem }], events)).toBe(part)
})

test.each([
  ['a transaction', '', grew, 'mempool'],
  ['a transaction', '', stood, 'sequencer'],
  ['the safe head', '', grew, 'batcher'],
  ['the safe head', '', stood, 'sequencer'],
  ['a proof', 'Nothing is safe yet.', grew, 'batcher'],
  ['a proof', 'refused', grew, 'prover host'],
] as const)(
  'given %s never works again (%s), then what stands still says whose fault it is',
  (probe, why, events, part) => {
    expect(guiltyPart([again(probe, why)], [...events, tried(probe)])).toBe(part)
  },
)

const at = (t: number, checker: string, problem: string) => ({ checker, t, problem })
const balance = at(5, 'values-are-true', 'The balance of 0x1 at latest was told as 1, not 2.')
const proof = (says: string) => at(9, 'answers-are-true', `The proof of 0x1 at latest ${says}`)
const mixed = at(5, 'one-snapshot', 'One answer has receipts of two snapshots.')
const lie = at(80, 'games-end-in-truth', 'Game 0x1 is false and keeps its proof.')
const root = at(9, 'blocks-are-whole', 'Block 4 has receiptsRoot 0x1, not 0x2.')

test.each([
  ['a balance that its proof has, too', balance, proof('shows 1 wei, not 2.'), 'sequencer'],
  ['a proof before any balance', proof('shows 1 wei, not 2.'), balance, 'sequencer'],
  ['a balance beside another nonce', balance, proof('shows nonce 1, not 2.'), 'sequencer'],
  ['a balance and no proof', balance, proof('does not lead to the state root.'), 'node'],
  ['receipts that the root has, too', mixed, root, 'sequencer'],
  [
    'gas that the root has, too',
    at(9, 'blocks-are-executed', 'T counts 1 gas up to it, not 2.'),
    root,
    'sequencer',
  ],
  [
    'gas that no root has',
    at(8, 'blocks-are-executed', 'T counts 1 gas up to it, not 2.'),
    root,
    'node',
  ],
  [
    'a lie while no key is registered',
    lie,
    again('the signers', 'L1 has registered '),
    'registrar',
  ],
  ['a lie while no host answers', lie, again('the signers', 'down'), 'challenger'],
  ['a price that nothing made', at(5, 'facts-are-true', 'A price.'), root, 'node'],
])('given %s, then who made what was told is named', (_, first, later, part) => {
  expect(guiltyPart([first, later], [])).toBe(part)
})

test('given nothing is broken, then nobody is guilty', () => {
  expect(guiltyPart([], grew)).toBeUndefined()
})
