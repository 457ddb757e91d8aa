import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { describeCall } from './describe-call.ts'
import { gameAbi } from './game-abi.ts'

const to = `0x${'0a'.repeat(20)}` as const

test('given a call of a game, then its arguments are told by name', () => {
  const root = `0x${'0b'.repeat(32)}` as const
  const data = encodeFunctionData({
    abi: gameAbi,
    functionName: 'nullify',
    args: ['0x00ff', 3n, root],
  })
  expect(describeCall({ nonce: 7, to, data })).toEqual({
    nonce: 7,
    to,
    call: 'nullify',
    args: { proofBytes: '0x00ff', index: '3', root },
  })
})

test('given data of no known call, then it is told as it is', () => {
  expect(describeCall({ nonce: 0, to, data: '0x12345678' })).toEqual({
    nonce: 0,
    to,
    data: '0x12345678',
  })
})
