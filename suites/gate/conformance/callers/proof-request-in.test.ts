import { expect, test } from 'vitest'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import type { Hex } from '../wire/hex.ts'
import { differencesOfProposal, disputeRequestDifferences } from './differences.ts'
import { proofRequestIn } from './proof-request-in.ts'
import type { RightDispute, RightProposal } from './right-claims.ts'
import { proofsOf } from './sent-calls.ts'
import type { WatchedCaller } from './watched-caller.ts'

const word = (byte: string): Hex => `0x${byte.repeat(32)}`
const sender: Hex = `0x${'4a'.repeat(20)}`
const l1Head = word('1b')
const numbers = new Map([[l1Head, 7]])

const right: RightDispute & RightProposal = {
  game: `0x${'9c'.repeat(20)}`,
  parent: `0x${'9c'.repeat(20)}`,
  bond: 0n,
  index: 0,
  l1Head,
  start: 3,
  startHash: word('2c'),
  startRoot: word('3d'),
  end: 4,
  roots: [word('a4')],
  interval: 1,
  imageHash: word('5e'),
}

const inSmallDigits: ProofRequestJson = {
  l1_head: l1Head,
  l1_head_number: 7,
  agreed_l2_head_hash: right.startHash,
  agreed_l2_output_root: right.startRoot,
  claimed_l2_output_root: word('a4'),
  claimed_l2_block_number: 4,
  proposer: sender,
  intermediate_block_interval: 1,
  image_hash: right.imageHash,
}

const inCapitals = Object.fromEntries(
  Object.entries(inSmallDigits).map(([name, value]) => {
    return [name, typeof value === 'string' ? value.toUpperCase().replace('0X', '0x') : value]
  }),
)

test('given a dispute asked for in capital digits, then nothing of it is otherwise', () => {
  const request = proofRequestIn([inCapitals])
  expect(disputeRequestDifferences(request, right, numbers, sender)).toEqual([])
})

test('given a proof asked for in capital digits, when its claim is sent, then no hash is otherwise', () => {
  const signature: Hex = `0x${'66'.repeat(64)}00`
  const aggregate_proposal = { signature, output_root: word('a4') }
  const result = { Tee: { aggregate_proposal, proposals: [] } }
  const asked = [{ method: 'prover_prove', params: [inCapitals], response: { result } }]
  const claim = {
    transaction: { from: sender, value: 0n } as WatchedCaller['sent'][number],
    gameType: 0,
    rootClaim: word('a4'),
    extraData: '0x' as Hex,
    initData: `0x00${l1Head.slice(2)}${'7'.padStart(64, '0')}${signature.slice(2, -2)}1b` as Hex,
  }
  const proofs = proofsOf({ asked } as unknown as WatchedCaller)
  const places = differencesOfProposal(claim, right, proofs, numbers).map(({ at }) => at)
  expect(places.filter((at) => at.includes('request'))).toEqual([])
})

test.each([[[]], [['0x1']], [[null]]])(
  'given params of %j, then it has no members of a request',
  (params) => {
    expect(proofRequestIn(params).l1_head).toBeUndefined()
  },
)
