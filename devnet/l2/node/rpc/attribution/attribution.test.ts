import { type Hex, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { ECHO, REVERTER } from '../testing/contracts.ts'
import { BOB, bob, createTestNode, errorOf, type TestNode } from '../testing/test-node.ts'

const MARKER = '80218021802180218021802180218021'
const CAROL: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A schema-0 suffix, packed by hand: codes, their length, schema, marker (ERC-8021). */
function suffix(codes: string): Hex {
  const length = codes.length.toString(16).padStart(2, '0')
  return `0x${toHex(codes).slice(2)}${length}00${MARKER}`
}
const suffixed = (data: Hex, codes: string): Hex => `${data}${suffix(codes).slice(2)}`

let node: TestNode
beforeEach(async () => {
  node = await createTestNode({
    walletOf: (code) => (code === 'bc_a1b2c3d4' ? CAROL : undefined),
  })
})

async function send(data: Hex, to: Hex = ECHO, account = BOB): Promise<Hex> {
  const { transactions } = await node.chain.flashblock(await node.sign({ to, data }, account))
  return transactions.at(-1)!.hash
}

describe('rollbed_getAttribution', () => {
  test('given a suffix, then the registered wallet is credited, not the sender, before and after the seal (ATTR-03, -05, -07)', async () => {
    const hash = await send(suffixed('0x1234', 'bc_a1b2c3d4,unknown'))
    const expected = {
      codes: ['bc_a1b2c3d4', 'unknown'],
      wallets: [CAROL, null],
      schema: 0,
      suffix: suffix('bc_a1b2c3d4,unknown'),
      // 19 bytes of codes, length, schema and 16 of marker; only the schema byte is zero.
      size: '0x25',
      gas: toHex(36 * 16 + 4),
      floorGas: toHex(36 * 40 + 10),
      attribution: { id: 0, codes: ['bc_a1b2c3d4', 'unknown'] },
    }
    expect(await node.rpc('rollbed_getAttribution', hash)).toStrictEqual(expected)
    await node.chain.seal()
    expect(await node.rpc('rollbed_getAttribution', hash)).toStrictEqual(expected)
  })

  test('given plain calldata, a marker in the middle or an unknown transaction, then the answer is null (ATTR-06)', async () => {
    const plain = await send('0x1234')
    const middle = await send(`${suffixed('0x', 'bc_a1b2c3d4')}00`)
    for (const hash of [plain, middle, `0x${'77'.repeat(32)}`]) {
      expect(await node.rpc('rollbed_getAttribution', hash)).toBeNull()
    }
  })

  test('given no pre-confirmations, then a transaction is attributed once it is sealed', async () => {
    node = await createTestNode({ preconfirmations: false })
    const hash = await send(suffixed('0x', 'baseapp'))
    expect(await node.rpc('rollbed_getAttribution', hash)).toBeNull()
    await node.chain.seal()
    expect(await node.rpc('rollbed_getAttribution', hash)).toMatchObject({ codes: ['baseapp'] })
  })

  test('given a call with and without the suffix, then the contract does the same (ATTR-04)', async () => {
    const call = (data: Hex) => errorOf(node.rpc('eth_call', { to: REVERTER, data }, 'latest'))
    const [plain, credited] = [await call('0x1234'), await call(suffixed('0x1234', 'baseapp'))]
    expect(credited).toStrictEqual({ ...plain, data: suffixed('0x1234', 'baseapp') })
  })

  test('given a suffix, then it costs what the receipts say (ATTR-07)', async () => {
    const spent = async (data: Hex) => {
      const receipt: { gasUsed: Hex } = await node.rpc(
        'eth_getTransactionReceipt',
        await send(data, bob),
      )
      return BigInt(receipt.gasUsed)
    }
    const attributionOf = async (data: Hex): Promise<{ floorGas: Hex }> =>
      node.rpc('rollbed_getAttribution', await send(data, bob))
    // A plain transfer does nothing else, so that the calldata floor rules: 40 and 10 a byte.
    const { floorGas } = await attributionOf(suffixed('0x', 'bc_a1b2c3d4'))
    expect((await spent(suffixed('0x', 'bc_a1b2c3d4'))) - 21_000n).toBe(BigInt(floorGas))
  })
})

describe('rollbed_attributionStats', () => {
  const tally = (code: string, wallet: Hex | null, rest: object) => ({ code, wallet, ...rest })

  test('given sealed and pre-confirmed blocks, then both are summed by code, the busiest first', async () => {
    const sealed = await send(suffixed('0x0000', 'bc_a1b2c3d4,x'))
    await node.chain.seal()
    const open = await send(suffixed('0x', 'bc_a1b2c3d4'))
    await send('0x1234')
    const used = async (hash: Hex) => {
      const receipt: { gasUsed: Hex } = await node.rpc('eth_getTransactionReceipt', hash)
      return BigInt(receipt.gasUsed)
    }
    const [first, second] = [await used(sealed), await used(open)]
    expect(await node.rpc('rollbed_attributionStats')).toStrictEqual({
      fromBlock: '0x0',
      toBlock: '0x2',
      pending: true,
      transactions: '0x2',
      codes: [
        tally('bc_a1b2c3d4', CAROL, {
          transactions: '0x2',
          suffixBytes: toHex(31 + 29),
          gas: toHex(30 * 16 + 4 + 28 * 16 + 4),
          floorGas: toHex(30 * 40 + 10 + 28 * 40 + 10),
          calldataGas: toHex(30 * 16 + 3 * 4 + 28 * 16 + 4),
          gasUsed: toHex(first + second),
        }),
        tally('x', null, {
          transactions: '0x1',
          suffixBytes: toHex(31),
          gas: toHex(30 * 16 + 4),
          floorGas: toHex(30 * 40 + 10),
          calldataGas: toHex(30 * 16 + 3 * 4),
          gasUsed: toHex(first),
        }),
      ],
    })
    expect(await node.rpc('rollbed_attributionStats', { toBlock: 'latest' })).toMatchObject({
      toBlock: '0x1',
      pending: false,
      transactions: '0x1',
    })
    expect(await node.rpc('rollbed_attributionStats', { fromBlock: 'pending' })).toMatchObject({
      fromBlock: '0x2',
      transactions: '0x1',
    })
  })

  test('given a code that stands twice in one suffix, then it counts once', async () => {
    await send(suffixed('0x', 'x,x'))
    expect(await node.rpc('rollbed_attributionStats')).toMatchObject({
      codes: [{ code: 'x', transactions: '0x1' }],
    })
  })

  test('given a range over 2,000 blocks, inverted or misshapen, then it is refused', async () => {
    for (let block = 0; block < 2001; block++) await node.chain.seal()
    const refusal = (range: unknown) => errorOf(node.rpc('rollbed_attributionStats', range))
    expect(await refusal({ fromBlock: '0x0', toBlock: 'latest' })).toMatchObject({ code: -32614 })
    expect(await refusal({ fromBlock: '0x2', toBlock: '0x1' })).toMatchObject({ code: -32602 })
    expect(await refusal({ fromBlock: 5 })).toMatchObject({ code: -32602 })
    expect(await refusal('latest')).toMatchObject({ code: -32602 })
    expect(await node.rpc('rollbed_attributionStats', { toBlock: 'latest' })).toMatchObject({
      fromBlock: '0x1',
      toBlock: '0x7d1',
    })
  })
})
