import { hexToBytes } from '@ethereumjs/util'
import { type BlobSidecar, type Hex, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { Address, Hash } from '../types/bytes.ts'
import { batcherInputs } from './batcher-inputs.ts'

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
  // OP spec, "L1 Retrieval": type 4 is not in the list.
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
  ['a broken EIP-4844', Uint8Array.of(3, 0xc0), false],
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
  expect(batcherInputs([raw], INBOX, batcher)).toEqual(counts ? [hexToBytes('0x00c0de')] : [])
  expect(batcherInputs([raw], INBOX, INBOX)).toEqual([])
})

test('given blob transactions among others, their hashes stand in order and their call data nowhere', async () => {
  const call2 = await sign({ type: 'eip1559', ...call, ...fees, chainId: 1 })
  const hashes = [1, 2, 3].map(versionedHash)
  const blobs = await signBlobs(INBOX, hashes.slice(0, 2))
  const more = await signBlobs(INBOX, hashes.slice(2))
  const elsewhere = await signBlobs(batcher, hashes)
  expect(batcherInputs([blobs, elsewhere, call2, more], INBOX, batcher)).toEqual([
    hashes[0],
    hashes[1],
    hexToBytes('0x00c0de'),
    hashes[2],
  ])
  expect(batcherInputs([blobs], INBOX, INBOX)).toEqual([])
})

test('given a blob transaction with its blobs around it, as anvil has it in blocks, it counts the same', async () => {
  const hashes = [versionedHash(1)]
  const sidecars = [{ blob: '0x0b10b0', commitment: '0xc0', proof: '0xd0' }] as const
  const network = await signBlobs(INBOX, hashes, [...sidecars])
  expect(network.length).toBeGreaterThan((await signBlobs(INBOX, hashes)).length)
  expect(batcherInputs([network], INBOX, batcher)).toEqual(hashes)
})

test('given a signature that is not canonical on a blob transaction, it is nobody’s', async () => {
  const raw = await signBlobs(INBOX, [versionedHash(1)])
  // The s of a signature is the last item.
  const broken = Uint8Array.from(raw, (byte, i) => (i >= raw.length - 32 ? 0xff : byte))
  expect(batcherInputs([broken], INBOX, batcher)).toEqual([])
})

function versionedHash(byte: number): Hash {
  return `0x01${numberToHex(byte, { size: 31 }).slice(2)}`
}

function signBlobs(
  to: Address,
  blobVersionedHashes: Hash[],
  sidecars: BlobSidecar<Hex>[] | false = false,
) {
  const blob = { blobVersionedHashes, maxFeePerBlobGas: 1n, sidecars } as const
  return sign({ type: 'eip4844', ...call, to, ...fees, ...blob, chainId: 1 })
}

async function sign(transaction: Parameters<typeof account.signTransaction>[0]) {
  return hexToBytes(await account.signTransaction(transaction))
}
