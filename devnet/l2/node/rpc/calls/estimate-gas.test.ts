import { expect, test } from 'vitest'
import { openTestBlock } from '#protocol/execution/test-block'
import type { Address, Hex } from '#protocol/types/bytes'
import { estimateGas } from './estimate-gas.ts'

const CALLER: Address = `0x${'a1'.repeat(20)}`
const CONTRACT: Address = `0x${'c0'.repeat(20)}`
const CLEARED: Hex = `0x${'0'.repeat(63)}1`

/** Estimates a call of a contract with this code, whose slot 1 holds 1, and counts the runs. */
async function estimate(code: Hex) {
  const alloc = { [CONTRACT]: { nonce: 1n, code, storage: { [CLEARED]: CLEARED } } }
  const { executor, store, genesis, block } = await openTestBlock(alloc)
  let runs = 0
  const counting: typeof executor = {
    ...executor,
    call(...given) {
      runs++
      return executor.call(...given)
    },
  }
  const context = { executor: counting, store, blockHash: block.environment.blockHash }
  const message = {
    from: CALLER,
    to: CONTRACT,
    data: new Uint8Array(0),
    value: 0n,
    gas: 1_000_000n,
  }
  const { stateRoot } = genesis.header
  const request = { stateRoot, environment: block.environment, message, stateOverrides: [] }
  const found = await estimateGas(context, request as never, new AbortController().signal)
  return { found, runs }
}

test('given a slot that is set, then a run without limit and a proof are enough', async () => {
  // 21000, two pushes, a cold slot that becomes 1 (EIP-2200, EIP-2929).
  expect(await estimate('0x60015f5500')).toEqual({
    found: { gas: 21_000n + 5n + 22_100n },
    runs: 2,
  })
})

test('given a refund, then the gas before it is needed', async () => {
  // A cold slot that becomes 0: 2900 and 2100, of which 4800 would come back.
  expect(await estimate('0x5f60015500')).toEqual({ found: { gas: 21_000n + 5n + 5_000n }, runs: 2 })
})

test('given a contract that wants more gas left than it uses, then halving finds it', async () => {
  // Reverts unless GAS is above 0x8000.
  const { found, runs } = await estimate('0x6180005a11600b575f5ffd5b00')
  expect(found).toHaveProperty('gas')
  expect(runs).toBeGreaterThan(2)
})
