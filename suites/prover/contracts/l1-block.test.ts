import { type Hex, numberToHex, size, slice } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { predeploys } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { l1BlockAbi } from '#fixtures/contracts/L1Block.abi'
import { attributes, attributesCalldata, depositor } from './l1-attributes.ts'
import { type PredeployChain, startPredeployChain } from './predeploy-chain.ts'
import { revertOf } from './revert-of.ts'

let chain: PredeployChain

beforeAll(async () => {
  chain = await startPredeployChain('jovian')
})

afterAll(() => chain.stop())

beforeEach(() => chain.rewindPoint())

const slot = (index: number) =>
  chain.client.getStorageAt({ address: predeploys.l1Block, slot: numberToHex(index) })

/** Slots 0 to 7, as clients read them: number and timestamp, …, scalars and sequence number. */
const ecotoneSlots: Hex[] = [
  `0x${'00'.repeat(16)}000000006553f1020000000102030405`,
  numberToHex(1_000_000_000n, { size: 32 }),
  attributes.hash,
  // 1368 = 0x558, 810,949 = 0xc5fc5.
  `0x${'00'.repeat(16)}00000558000c5fc50000000000000003`,
  attributes.batcherHash,
  numberToHex(0n, { size: 32 }),
  numberToHex(0n, { size: 32 }),
  numberToHex(1n, { size: 32 }),
]

describe('L1Block', () => {
  test.each([
    ['isthmus', 176, `0x${'00'.repeat(20)}0a0b0c0d1122334455667788`],
    ['jovian', 178, `0x${'00'.repeat(18)}01900a0b0c0d1122334455667788`],
    ['ecotone', 164, `0x${'00'.repeat(32)}`],
  ] as const)(
    'given %s calldata of %i bytes, then slots 0 to 8 hold it',
    async (fork, bytes, last) => {
      const data = attributesCalldata(fork)
      expect(size(data)).toBe(bytes)
      const receipt = await chain.sendAs(depositor, predeploys.l1Block, data)
      expect(receipt.status).toBe('success')
      expect(await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8].map(slot))).toEqual([
        ...ecotoneSlots,
        last,
      ])
    },
  )

  test('given an Isthmus update after a Jovian one, then the footprint scalar stays', async () => {
    await chain.sendAs(depositor, predeploys.l1Block, attributesCalldata('jovian'))
    await chain.sendAs(depositor, predeploys.l1Block, attributesCalldata('isthmus'))
    expect(slice((await slot(8)) ?? '0x', 18, 20)).toBe('0x0190')
  })

  test('given the values, then every getter answers them', async () => {
    await chain.sendAs(depositor, predeploys.l1Block, attributesCalldata('jovian'))
    for (const [functionName, expected] of Object.entries(attributes)) {
      const value = await chain.client.readContract({
        address: predeploys.l1Block,
        abi: l1BlockAbi,
        functionName: functionName as keyof typeof attributes,
      })
      expect(value, functionName).toBe(expected)
    }
  })

  test('given anyone but the depositor, then nothing changes', async () => {
    const { address } = userKeys[0]!
    const receipt = await chain.sendAs(address, predeploys.l1Block, attributesCalldata('jovian'))
    expect(receipt.status).toBe('reverted')
    expect(await slot(2)).toBe(`0x${'00'.repeat(32)}`)
    const update = { functionName: 'setL1BlockValuesEcotone', args: [] } as const
    const call = { address: predeploys.l1Block, abi: l1BlockAbi, ...update }
    expect(await revertOf(chain.client, address, call)).toBe('NotDepositor()')
  })

  test.each(['ecotone', 'isthmus', 'jovian'] as const)(
    'given %s calldata that is one byte short, then it reverts',
    async (fork) => {
      const data = attributesCalldata(fork)
      const receipt = await chain.sendAs(
        depositor,
        predeploys.l1Block,
        slice(data, 0, size(data) - 1),
      )
      expect(receipt.status).toBe('reverted')
    },
  )
})
