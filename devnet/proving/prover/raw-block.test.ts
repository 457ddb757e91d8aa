import { type Hex, toRlp } from 'viem'
import { expect, test } from 'vitest'
import { rawBlock } from './raw-block.ts'

const hash: Hex = `0x${'ab'.repeat(32)}`
const answering = (answer: unknown) => ({ request: async () => answer })

test('given a block, then its header and its transactions are as they are hashed', async () => {
  const legacy: Hex[] = ['0x01', '0x02']
  const block = toRlp([['0xaa'], ['0x7e05', legacy], [], []])
  const { header, transactions } = await rawBlock(answering(block), hash)
  expect(header).toEqual(toRlp(['0xaa'], 'bytes'))
  expect(transactions).toEqual([Uint8Array.of(0x7e, 0x05), toRlp(legacy, 'bytes')])
})

test.each<[string, unknown]>([
  ['nothing', null],
  ['what is no RLP', '0xf8'],
  ['a string', toRlp('0xaa')],
  ['an empty list', toRlp([])],
  ['a header alone', toRlp([['0xaa']])],
  ['transactions that are no list', toRlp([['0xaa'], '0xbb'])],
])('given a node that answers %s, then the block is unavailable', async (_, answer) => {
  await expect(rawBlock(answering(answer), hash)).rejects.toMatchObject({
    code: 'BLOCK_UNAVAILABLE',
  })
})
