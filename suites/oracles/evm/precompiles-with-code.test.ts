import { hexToBytes } from '@ethereumjs/util'
import { keccak256, size } from 'viem'
import { describe, expect, test } from 'vitest'
import { openTestBlock } from '#protocol/execution/test-block'
import type { Alloc } from '#protocol/types/account'
import type { Address, Hash, Hex } from '#protocol/types/bytes'

const SENDER: Address = `0x${'a1'.repeat(20)}`
const CALLER: Address = `0x${'b0'.repeat(20)}`
const DELEGATED: Address = `0x${'b1'.repeat(20)}`
/** The identity: gives back what goes in. */
const IDENTITY: Address = '0x0000000000000000000000000000000000000004'
/** SSTORE(0, 1), then 32 bytes of ones: what no precompile does. */
const LOUD: Hex = '0x60015f555f195f5260205ff3'
/** To an account that is as loud. */
const DELEGATION: Hex = `0xef0100${'b2'.repeat(20)}`
const LOUD_ACCOUNT: Address = `0x${'b2'.repeat(20)}`
const WORD: Hash = `0x${'42'.repeat(32)}`
const ONE = `${'0'.repeat(63)}1`
const ZERO = '0'.repeat(64)

const KINDS = { CALL: 'f1', CALLCODE: 'f2', DELEGATECALL: 'f4', STATICCALL: 'fa' }

/** Calls with its calldata, and gives back whether that succeeded and the word that came back. */
function calling(kind: keyof typeof KINDS, target: Address, value = 0): Hex {
  const worth = kind === 'CALL' || kind === 'CALLCODE' ? `60${String(value).padStart(2, '0')}` : ''
  // Into 32 what comes back of the word at 64, then the status into 0.
  return `0x5f356040526020602060206040${worth}73${target.slice(2)}5a${KINDS[kind]}5f5260405ff3`
}

async function run(alloc: Alloc, to: Address = CALLER): Promise<Hex> {
  const { executor, store, genesis, block } = await openTestBlock({
    [SENDER]: { balance: 10n ** 18n },
    [LOUD_ACCOUNT]: { nonce: 1n, code: LOUD },
    ...alloc,
  })
  const { output, status } = await executor.call(
    { store, stateRoot: genesis.header.stateRoot },
    { from: SENDER, to, data: hexToBytes(WORD), value: 0n, gas: 500_000n },
    { environment: block.environment, validate: false },
  )
  expect(status).toBe(1)
  return `0x${Buffer.from(output).toString('hex')}`
}

describe.each([
  ['code', LOUD],
  ['a delegation', DELEGATION],
  ['a delegation to another precompile', `0xef0100${'0'.repeat(39)}2`],
] as [string, Hex][])('a precompile whose account has %s', (_, code) => {
  const precompile = { nonce: 1n, balance: 2n, code, storage: { [WORD]: WORD } }

  test.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
    'given %s of it, then the precompile runs, and the code does not',
    async (kind) => {
      const caller = { nonce: 1n, code: calling(kind, IDENTITY) }
      const output = await run({ [CALLER]: caller, [IDENTITY]: precompile })
      expect(output).toBe(`0x${ONE}${WORD.slice(2)}`)
    },
  )

  test('given a message to it, then the precompile runs', async () => {
    expect(await run({ [IDENTITY]: precompile }, IDENTITY)).toBe(WORD)
  })

  test('given value for it, then it has that too', async () => {
    // The word that comes back is followed by BALANCE of the precompile.
    const code = `${calling('CALL', IDENTITY, 3).slice(0, -12)}5f5273${IDENTITY.slice(2)}315f5260205ff3`
    const output = await run({
      [CALLER]: { nonce: 1n, balance: 3n, code: code as Hex },
      [IDENTITY]: precompile,
    })
    expect(BigInt(output)).toBe(5n)
  })

  test('given EXTCODESIZE and EXTCODEHASH of it, then they tell the code (EIP-1052)', async () => {
    const address = `73${IDENTITY.slice(2)}`
    const output = await run({
      [CALLER]: { nonce: 1n, code: `0x${address}3b5f52${address}3f60205260405ff3` },
      [IDENTITY]: precompile,
    })
    const length = size(code).toString(16).padStart(64, '0')
    expect(output).toBe(`0x${length}${keccak256(code).slice(2)}`)
  })
})

test('given an account that is delegated to a precompile, when it is called, then nothing runs (EIP-7702)', async () => {
  const alloc = { [DELEGATED]: { nonce: 1n, code: `0xef0100${IDENTITY.slice(2)}` as Hex } }
  const caller = { nonce: 1n, code: calling('CALL', DELEGATED) }
  expect(await run({ ...alloc, [CALLER]: caller })).toBe(`0x${ONE}${ZERO}`)
  expect(await run(alloc, DELEGATED)).toBe('0x')
})
