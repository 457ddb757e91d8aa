import { hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { keccak256Hex } from '../crypto/keccak.ts'
import { RuntimeError } from '../crypto/web-assembly.ts'
import { EngineFault } from '../evm/engine-fault.ts'
import { readAccount } from '../execution/account-reader.ts'
import { createExecutor } from '../execution/create-executor.ts'
import type { OpenBlock } from '../execution/executor.ts'
import { openTestBlock, TEST_CHAIN_ID } from '../execution/test-block.ts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { encodeDeposit } from '../transaction/encode-deposit.ts'
import type { Alloc } from '../types/account.ts'
import type { Address, Hash, Hex } from '../types/bytes.ts'
import type { StateStore } from '../types/state.ts'
import { executePayload } from './execute-payload.ts'

const signer = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const SENDER = signer.address.toLowerCase() as Address
const NOBODY: Address = '0x00000000000000000000000000000000000000aa'
const CALLER: Address = '0x00000000000000000000000000000000000000bb'
const BREAKER: Address = '0x00000000000000000000000000000000000000cc'
const BREAKING: Hex = '0xfe'
/** SSTORE(0, 1), LOG0, then CALLs the breaker: at byte 31. */
const CALLING: Hex = `0x60015f555f5fa05f5f5f5f5f73${BREAKER.slice(2)}5af1`
const CALL_AT = 34

const alloc: Alloc = {
  [SENDER]: { balance: 10n ** 18n },
  [CALLER]: { nonce: 1n, code: CALLING },
  [BREAKER]: { nonce: 1n, code: BREAKING },
}

/** The engine traps where it asks for the breaker's code: as a broken engine would. */
function trapping(store: StateStore): StateStore {
  const hash: Hash = keccak256Hex(hexToBytes(BREAKING))
  return {
    ...store,
    put: (key, value) => store.put(key, value),
    get(key, kind) {
      if (key === hash) throw new RuntimeError()
      return store.get(key, kind)
    },
  }
}

async function openTrapping(canRewind = false) {
  const opened = await openTestBlock(alloc)
  const { executor, genesis, attributes } = opened
  const store = trapping(opened.store)
  const parent = { header: genesis.header, hash: genesis.hash }
  const open = (): Promise<OpenBlock> =>
    executor.openBlock({
      ...{ store, attributes, canRewind, blockHash: async () => undefined },
      ...{ parent: genesis.header, parentHash: genesis.hash },
    })
  return { ...opened, store, parent, block: await open(), other: opened.block }
}

async function transaction(to: Address, nonce: number) {
  const raw = await signer.signTransaction({
    ...{ type: 'eip1559', chainId: TEST_CHAIN_ID, nonce, to },
    ...{ gas: 200_000n, maxFeePerGas: 2n * 10n ** 9n, value: 5n },
  })
  return decodeTransaction(hexToBytes(raw))
}

const depositBytes = (to: Address) =>
  encodeDeposit({
    ...{ from: SENDER, to, mint: 100n, value: 7n, gas: 100_000n, isSystemTransaction: false },
    ...{ sourceHash: `0x${'11'.repeat(32)}` as Hash, data: new Uint8Array(0) },
  })

describe('a transaction on which the engine breaks', () => {
  test.each([false, true])(
    'given a block that can rewind: %s, then the error says where, and the block is as if it had not been',
    async (canRewind) => {
      const { block, other } = await openTrapping(canRewind)
      await block.execute(await transaction(NOBODY, 0))
      const trap = block.execute(await transaction(CALLER, 1))
      await expect(trap).rejects.toThrow(EngineFault)
      await expect(trap).rejects.toMatchObject({
        code: 'EVM_TRAPPED',
        place: { address: CALLER, pc: CALL_AT, depth: 0 },
      })
      await block.execute(await transaction(NOBODY, 1))
      for (const nonce of [0, 1]) await other.execute(await transaction(NOBODY, nonce))
      expect(block.faults).toEqual([])
      expect(await block.seal()).toEqual(await other.seal())
    },
  )

  test('given it calls the breaker at once, then no code ran', async () => {
    const { block } = await openTrapping()
    await expect(block.execute(await transaction(BREAKER, 0))).rejects.toMatchObject({
      code: 'EVM_TRAPPED',
      place: undefined,
    })
  })

  test('given it is only called, then the call has the same error', async () => {
    const { executor, block, genesis, store } = await openTrapping()
    const options = { store, stateRoot: genesis.header.stateRoot }
    const message = {
      ...{ from: SENDER, to: CALLER, value: 0n, gas: 200_000n },
      data: new Uint8Array(0),
    }
    const rules = { environment: block.environment, validate: false }
    await expect(executor.call(options, message, rules)).rejects.toThrow(EngineFault)
    expect(() => executor.callAtHand(options, message, rules)).toThrow(EngineFault)
    const idle = await executor.call(options, { ...message, to: NOBODY }, rules)
    expect(idle).toMatchObject({ status: 1, gasUsed: 21_000n })
  })
})

describe('a deposit on which the engine breaks', () => {
  test('then it has failed with its mint kept, and the block tells it (OP spec, Deposits)', async () => {
    const { block, store } = await openTrapping()
    const receipt = await block.execute(decodeTransaction(depositBytes(CALLER)))
    expect(receipt).toMatchObject({ status: 0, gasUsed: 100_000n, logs: [], depositNonce: 0n })
    expect(block.faults).toMatchObject([{ code: 'EVM_TRAPPED', place: { pc: CALL_AT } }])
    const { header } = await block.seal()
    expect(readAccount(store, header.stateRoot, SENDER)).toMatchObject({
      balance: 10n ** 18n + 100n,
      nonce: 1n,
    })
  })

  test('given it is in a derived payload, then nobody vouches for the block', async () => {
    const { store, parent, attributes } = await openTrapping()
    const executor = await createExecutor({ chainId: BigInt(TEST_CHAIN_ID), fork: 'jovian' })
    const payload = { ...attributes, transactions: [depositBytes(CALLER)] }
    const config = { genesis: { l2: { number: 0 }, l2Time: 0 }, blockTime: 2 }
    const options = { executor, store, parent, config, blockHash: async () => undefined }
    await expect(executePayload({ ...options, attributes: payload })).rejects.toThrow(EngineFault)
    expect(await executePayload({ ...options, attributes })).toBeDefined()
  })
})
