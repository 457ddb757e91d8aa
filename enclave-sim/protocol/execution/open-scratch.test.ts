import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { describe, expect, test } from 'vitest'
import type { Alloc } from '../types/account.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { readAccount } from './account-reader.ts'
import type { CallMessage, CallRules } from './executor.ts'
import { openTestBlock } from './test-block.ts'

const ALICE: Address = '0x00000000000000000000000000000000000000a1'
const BOB: Address = '0x00000000000000000000000000000000000000b1'
const CODE: Address = '0x00000000000000000000000000000000000000cc'
const SHA256: Address = '0x0000000000000000000000000000000000000002'
const IDENTITY: Address = '0x0000000000000000000000000000000000000004'
const ETHER = 10n ** 18n
const alloc: Alloc = {
  [ALICE]: { balance: ETHER, nonce: 3n },
  [CODE]: { code: '0x5f545f5260205ff3', nonce: 1n, storage: { [word(0n)]: word(77n) } },
}

function word(value: bigint): Hash {
  return `0x${value.toString(16).padStart(64, '0')}`
}

async function scratch() {
  const { executor, store, genesis, block } = await openTestBlock(alloc)
  const { stateRoot } = genesis.header
  const state = executor.openScratch({ store, stateRoot })
  const call = (message: Partial<CallMessage>, rules: Partial<CallRules> = {}) =>
    state.call(
      { from: ALICE, to: BOB, data: new Uint8Array(0), value: 0n, gas: 100_000n, ...message },
      { environment: block.environment, validate: false, ...rules },
    )
  return { state, call, store, stateRoot }
}

describe('a scratch call', () => {
  test('given code and storage overridden, then the call sees them and the store does not', async () => {
    const { state, call, store, stateRoot } = await scratch()
    const { size } = store
    expect(bytesToHex((await call({ to: CODE })).output)).toBe(word(77n))
    await state.setStorage(CODE, word(0n), word(5n))
    expect(bytesToHex((await call({ to: CODE })).output)).toBe(word(5n))
    await state.clearStorage(CODE)
    expect(bytesToHex((await call({ to: CODE })).output)).toBe(word(0n))
    await state.setCode(BOB, hexToBytes('0x30315f5260205ff3'))
    await state.setBalance(BOB, 9n)
    expect(bytesToHex((await call({ to: BOB })).output)).toBe(word(9n))
    expect(store.size).toBe(size)
    const root = await state.commit()
    expect(root).not.toBe(stateRoot)
    expect(readAccount(store, root, BOB)?.balance).toBe(9n)
    expect(readAccount(store, stateRoot, BOB)).toBeUndefined()
  })

  test('given two calls, then the second sees the effects of the first', async () => {
    const { state, call } = await scratch()
    expect(await call({ value: 10n })).toMatchObject({ status: 1, gasUsed: 21_000n })
    await call({ from: BOB, to: ALICE, value: 4n })
    expect(await state.getBalance(BOB)).toBe(6n)
    expect(await state.getNonce(ALICE)).toBe(4n)
    expect(await state.getNonce(BOB)).toBe(1n)
  })

  test('given value transfers traced, then they are logged in order, and not where they are undone', async () => {
    const { state, call } = await scratch()
    // Sends 1 wei to BOB, then 1 wei into a frame that reverts.
    await state.setCode(
      CODE,
      hexToBytes(`0x${send(BOB)}${send('0x00000000000000000000000000000000000000ee')}00`),
    )
    await state.setCode('0x00000000000000000000000000000000000000ee', hexToBytes('0x5f5ffd'))
    const { logs } = await call({ to: CODE, value: 5n }, { traceTransfers: true })
    expect(logs.map(({ topics, data }) => [...topics.slice(1), bytesToHex(data)])).toEqual([
      [padded(ALICE), padded(CODE), word(5n)],
      [padded(CODE), padded(BOB), word(1n)],
    ])
    expect(new Set(logs.map(({ address }) => address))).toEqual(new Set([`0x${'ee'.repeat(20)}`]))
    expect((await call({ to: CODE, value: 5n })).logs).toEqual([])
  })

  test('given a precompile moved, then it answers at its new place only, and only in that call', async () => {
    const { call } = await scratch()
    const data = Uint8Array.of(1, 2, 3)
    const precompiles = new Map([
      [BOB, SHA256],
      [IDENTITY, IDENTITY],
    ])
    const sha256 = '0x039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81'
    const run = async (to: Address, view?: typeof precompiles) =>
      bytesToHex((await call({ to, data }, view ? { precompiles: view } : {})).output)
    expect(await run(BOB, precompiles)).toBe(sha256)
    expect(await run(SHA256, precompiles)).toBe('0x')
    expect(await run(IDENTITY, precompiles)).toBe('0x010203')
    expect(await run(BOB)).toBe('0x')
    expect(await run(SHA256)).toBe(sha256)
  })

  test('given a revert, then its data comes back; given another halt, then nothing does and all gas is used', async () => {
    const { state, call } = await scratch()
    await state.setCode(BOB, hexToBytes('0x60aa5f5260205ffd'))
    const reverted = await call({})
    expect(reverted).toMatchObject({ status: 0, halt: { kind: 'revert' } })
    expect(bytesToHex(reverted.output)).toBe(word(0xaan))
    for (const [code, kind, message] of [
      ['0x5b5f56', 'out of gas', 'out of gas'],
      ['0xfe', 'other', 'invalid opcode'],
      ['0x600456', 'other', 'invalid jump destination'],
      ['0x50', 'other', 'stack underflow'],
    ] as const) {
      await state.setCode(BOB, hexToBytes(code))
      const halted = await call({})
      expect(halted).toMatchObject({ gasUsed: 100_000n, halt: { kind, message } })
      expect(halted.output).toEqual(new Uint8Array(0))
    }
  })

  test.each<[string, Partial<CallMessage>, boolean, string]>([
    ['a wrong nonce', { nonce: 1n, maxFeePerGas: 10n ** 10n }, true, 'NONCE_TOO_LOW'],
    ['no fee', {}, true, 'FEE_CAP_BELOW_BASE_FEE'],
    ['more value than funds', { value: 2n * ETHER }, false, 'INSUFFICIENT_FUNDS'],
    ['a gas price beyond funds', { gasPrice: ETHER }, false, 'INSUFFICIENT_FUNDS'],
    ['less than the intrinsic gas', { gas: 20_999n }, false, 'INTRINSIC_GAS_TOO_LOW'],
  ])('given %s, then it is refused', async (_, message, validate, code) => {
    const { call } = await scratch()
    await expect(call(message, { validate })).rejects.toMatchObject({ code })
  })

  test('given a contract that calls itself for ever, then it ends at depth 1024 without exhausting our stack', async () => {
    const { state, call } = await scratch()
    // Counts the frames in slot 0, then calls itself with all gas.
    await state.setCode(BOB, hexToBytes('0x5f546001015f555f5f5f5f5f305af100'))
    expect(await call({ gas: 10n ** 13n })).toMatchObject({ status: 1 })
    expect(await state.getStorage(BOB, word(0n))).toBe(word(1025n))
  })

  test('given a call without a fee and without validation, then it is free', async () => {
    const { state, call } = await scratch()
    await call({ nonce: 99n })
    expect(await state.getBalance(ALICE)).toBe(ETHER)
  })
})

/** CALL with 1 wei and all gas, result dropped. */
function send(to: Address): string {
  return `5f5f5f5f600173${to.slice(2)}5af150`
}

function padded(address: Address): string {
  return `0x${address.slice(2).padStart(64, '0')}`
}
