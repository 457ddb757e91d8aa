import { describe, expect, test } from 'vitest'
import type { Address, Hex } from '../types/bytes.ts'
import { openTestBlock } from './test-block.ts'

const ALICE: Address = '0x00000000000000000000000000000000000000a1'
const CREATOR: Address = '0x00000000000000000000000000000000000000cc'

/** Calls a contract with this code, with 100,000 gas. */
async function run(code: Hex) {
  const { executor, store, genesis, block } = await openTestBlock({
    [CREATOR]: { code, nonce: 1n },
  })
  const state = executor.openScratch({ store, stateRoot: genesis.header.stateRoot })
  const outcome = await state.call(
    { from: ALICE, to: CREATOR, data: new Uint8Array(0), value: 0n, gas: 100_000n },
    { environment: block.environment, validate: false },
  )
  return { ...outcome, nonce: await state.getNonce(CREATOR) }
}

describe('init code that begins with 0xef00', () => {
  test('given CREATE, then the frame burns its gas and the nonce is used (anvil 1.7.1: 99,266)', async () => {
    expect(await run('0x61ef005f526002601e5ff000')).toMatchObject({
      status: 1,
      gasUsed: 99_266n,
      nonce: 2n,
    })
  })

  test('given CREATE2, then so it does', async () => {
    const { status, gasUsed, nonce } = await run('0x61ef005f525f6002601e5ff500')
    expect({ status, nonce }).toEqual({ status: 1, nonce: 2n })
    // 46,971 are left when the frame opens, of which a 64th, rounded down, remains.
    expect(gasUsed).toBe(100_000n - 733n)
  })

  test('given 0xef01, then nothing is other than it was', async () => {
    expect(await run('0x61ef015f526002601e5ff000')).toMatchObject({ gasUsed: 99_266n, nonce: 2n })
  })
})

describe('a creation that reverts', () => {
  test('given data that begins with 0xef, then it comes back and what is left of the gas does too', async () => {
    // Init code that reverts with 0xef00: PUSH2 0xef00, MSTORE at 0, REVERT of 2 bytes at 30.
    const initCode = '61ef005f526002601efd'
    // Creates with it, and gives back what that has given back.
    const create = `69${initCode}5f52600a60165ff0503d5f5f3e3d5ff3` as const
    const { gasUsed, output, status } = await run(`0x${create}`)
    expect({ status, output }).toEqual({ status: 1, output: Uint8Array.of(0xef, 0x00) })
    // EIP-3541 is about code that is returned: nothing is burnt.
    expect(gasUsed).toBeLessThan(54_000n)
  })
})
