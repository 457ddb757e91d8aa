import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { Address } from '../execution/types.ts'
import { batcherData } from './batcher-data.ts'

const INBOX = `0xff${'00'.repeat(19)}` as const
const account = privateKeyToAccount(`0x${'ba'.repeat(32)}`)
const batcher = account.address.toLowerCase() as Address
const call = { to: INBOX, data: '0x00c0de', gas: 50_000n, nonce: 0 } as const
const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
const authorization = await account.signAuthorization({ chainId: 1, address: INBOX, nonce: 1 })

test.each([
  ['legacy', await sign({ type: 'legacy', ...call, gasPrice: 1n, chainId: 1 }), true],
  ['legacy, unprotected', await sign({ type: 'legacy', ...call, gasPrice: 1n }), true],
  ['EIP-2930', await sign({ type: 'eip2930', ...call, gasPrice: 1n, chainId: 1 }), true],
  ['EIP-1559', await sign({ type: 'eip1559', ...call, ...fees, chainId: 1 }), true],
  // OP spec, "L1 Retrieval": type 4 is not in the list; the data of type 3 is in its blobs.
  [
    'EIP-7702',
    await sign({
      type: 'eip7702',
      ...call,
      ...fees,
      chainId: 1,
      authorizationList: [authorization],
    }),
    false,
  ],
  ['EIP-4844', Uint8Array.of(3, 0xc0), false],
  [
    'to somebody else',
    await sign({ type: 'eip1559', ...call, ...fees, chainId: 1, to: batcher }),
    false,
  ],
  [
    'a contract creation',
    await sign({ type: 'eip1559', ...fees, data: '0x00', gas: 1n, chainId: 1 }),
    false,
  ],
  ['garbage', Uint8Array.of(2, 0xff), false],
  ['nothing', new Uint8Array(0), false],
])('given a transaction that is %s, it counts as it should: %#', (_name, raw, counts) => {
  const data = batcherData([raw], INBOX, batcher).map((bytes) => bytesToHex(bytes))
  expect(data).toEqual(counts ? ['0x00c0de'] : [])
  expect(batcherData([raw], INBOX, INBOX)).toEqual([])
})

async function sign(transaction: Parameters<typeof account.signTransaction>[0]) {
  return hexToBytes(await account.signTransaction(transaction))
}
