import { hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test, vi } from 'vitest'
import { systemContracts } from '#fixtures/chain/system-contracts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { MemoryStore } from '../trie/memory-store.ts'
import type { Alloc } from '../types/account.ts'
import type { Block } from '../types/block.ts'
import type { Address, Hash } from '../types/bytes.ts'
import type { StateStore } from '../types/state.ts'
import type { Transaction } from '../types/transaction.ts'
import { readAccount, readStorage } from './account-reader.ts'
import { openTestBlock, TEST_CHAIN_ID } from './test-block.ts'

const { beaconRoots, historyStorage } = systemContracts
const signer = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const SENDER = signer.address.toLowerCase() as Address
const PASSER: Address = '0x4200000000000000000000000000000000000016'
const COUNTER: Address = '0x00000000000000000000000000000000000000cc'
/** sstore(calldata[0], calldata[0] + 1); sstore(100, iszero(sload(100))): writes and clears slots. */
const COUNTER_CODE = '0x5f356001015f3555606454156064550000'

const alloc: Alloc = {
  [SENDER]: { balance: 10n ** 18n },
  [COUNTER]: { code: COUNTER_CODE, nonce: 1n },
  [PASSER]: { nonce: 1n, storage: { [slot(3n)]: slot(9n) } },
  [beaconRoots.address]: { code: beaconRoots.code, nonce: 1n },
  [historyStorage.address]: { code: historyStorage.code, nonce: 1n },
}

function slot(index: bigint): Hash {
  return `0x${index.toString(16).padStart(64, '0')}`
}

async function calls(count: number): Promise<Transaction[]> {
  const raws = Array.from({ length: count }, (_, nonce) =>
    signer.signTransaction({
      type: 'eip1559',
      chainId: TEST_CHAIN_ID,
      nonce,
      gas: 200_000n,
      maxFeePerGas: 2n * 10n ** 9n,
      to: nonce % 3 === 2 ? `0x${(nonce + 1000).toString(16).padStart(40, '0')}` : COUNTER,
      value: nonce % 3 === 2 ? 1n : 0n,
      data: slot(BigInt(nonce)),
    }),
  )
  return (await Promise.all(raws)).map((raw) => decodeTransaction(hexToBytes(raw)))
}

describe('openBlock', () => {
  test('then the beacon root (EIP-4788) and the parent hash (EIP-2935) are stored, and the caller gets no account', async () => {
    const root: Hash = `0x${'ab'.repeat(32)}`
    const { block, store, genesis } = await openTestBlock(alloc, { parentBeaconBlockRoot: root })
    const { stateRoot, timestamp } = (await block.seal()).header
    const at = timestamp % 8191n
    expect(readStorage(store, stateRoot, beaconRoots.address, slot(at))).toBe(slot(timestamp))
    expect(readStorage(store, stateRoot, beaconRoots.address, slot(at + 8191n))).toBe(root)
    expect(readStorage(store, stateRoot, historyStorage.address, slot(0n))).toBe(genesis.hash)
    expect(
      readAccount(store, stateRoot, '0xfffffffffffffffffffffffffffffffffffffffe'),
    ).toBeUndefined()
  })

  test('given a state without the system contracts, then nothing changes', async () => {
    const { block, genesis } = await openTestBlock({ [SENDER]: { balance: 1n } })
    expect((await block.seal()).header.stateRoot).toBe(genesis.header.stateRoot)
  })

  test('then the header commits to the storage of the message passer (OP spec, Isthmus)', async () => {
    const { block, store } = await openTestBlock(alloc)
    const { header } = await block.seal()
    const passer = readAccount(store, header.stateRoot, PASSER)
    expect(header.withdrawalsRoot).toBe(passer?.storageRoot)
    expect(header.withdrawalsRoot).not.toBe(
      readAccount(store, header.stateRoot, SENDER)?.storageRoot,
    )
  })
})

describe('checkpoint', () => {
  test('given one after every transaction, then the block is the one without any', async () => {
    const transactions = await calls(12)
    const plain = await openTestBlock(alloc)
    for (const transaction of transactions) await plain.block.execute(transaction)
    const stepped = await openTestBlock(alloc)
    for (const transaction of transactions) {
      await stepped.block.execute(transaction)
      const { stateRoot } = await stepped.block.checkpoint()
      expect(readAccount(stepped.store, stateRoot, SENDER)?.nonce).toBe(
        BigInt(stepped.block.transactions.length),
      )
    }
    expect((await stepped.block.seal()).hash).toBe((await plain.block.seal()).hash)
  })

  test('given two without a transaction between, then the second writes nothing', async () => {
    const { block, store } = await openTestBlock(alloc)
    for (const transaction of await calls(3)) await block.execute(transaction)
    const header = await block.checkpoint()
    const put = vi.spyOn(store, 'put')
    expect(await block.checkpoint()).toEqual(header)
    expect(put).not.toHaveBeenCalled()
  })
})

describe('a state that is far away', () => {
  test('given values that must be fetched, then the same block comes out, of fetched values alone', async () => {
    const transactions = await calls(6)
    const { executor, store, genesis, attributes, block } = await openTestBlock(alloc)
    for (const transaction of transactions) await block.execute(transaction)
    const expected = await block.seal()
    const near = new MemoryStore()
    const fetched: Hash[] = []
    const far: StateStore = {
      get: (hash) => near.get(hash),
      put: (hash, value) => near.put(hash, value),
      async fetch(hash) {
        fetched.push(hash)
        near.put(hash, store.get(hash)!)
      },
    }
    const again = async (from: StateStore): Promise<Block> => {
      const open = await executor.openBlock({
        store: from,
        parent: genesis.header,
        parentHash: genesis.hash,
        attributes,
        blockHash: async () => undefined,
      })
      for (const transaction of transactions) await open.execute(transaction)
      return open.seal()
    }
    expect((await again(far)).hash).toBe(expected.hash)
    expect(new Set(fetched).size).toBe(fetched.length)
    const witness = new MemoryStore()
    for (const hash of fetched) witness.put(hash, store.get(hash)!)
    expect((await again(witness)).hash).toBe(expected.hash)
    const lacking = new MemoryStore()
    for (const hash of fetched.slice(1)) lacking.put(hash, store.get(hash)!)
    await expect(again(lacking)).rejects.toMatchObject({ code: 'NODE_MISSING', hash: fetched[0] })
  })
})
