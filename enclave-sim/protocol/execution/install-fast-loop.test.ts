import { bytesToHex } from '@ethereumjs/util'
import { expect, test } from 'vitest'
import { randomInt, seededRng } from '../random/rng.ts'
import type { Address } from '../types/bytes.ts'
import { openTestBlock } from './test-block.ts'
import type { Tracer } from './tracer.ts'

const ALICE: Address = '0x00000000000000000000000000000000000000a1'
/** Each leaves the stack as it was; `n` becomes a small number, `j` the place after the piece. */
const PIECES = [
  'PUSH n PUSH n MSTORE',
  'PUSH n MLOAD POP',
  'PUSH n PUSH n SSTORE',
  'PUSH n SLOAD POP',
  'PUSH n PUSH n KECCAK256 POP',
  'PUSH n PUSH n LOG0',
  'PUSH j JUMP GAS JUMPDEST',
  'PUSH n PUSH 3 AND PUSH j JUMPI noise JUMPDEST',
  'GAS PUSH j JUMPI GAS JUMPDEST',
  'PUSH j JUMP PUSH JUMPDEST',
  'noise',
]
const OPCODES: Record<string, number> = {
  ...{ AND: 0x16, KECCAK256: 0x20, POP: 0x50, MLOAD: 0x51, MSTORE: 0x52, SLOAD: 0x54 },
  ...{ SSTORE: 0x55, JUMP: 0x56, JUMPI: 0x57, GAS: 0x5a, JUMPDEST: 0x5b, PUSH: 0x60, LOG0: 0xa0 },
}

function randomCode(seed: number): Uint8Array {
  const rng = seededRng(`loop ${seed}`)
  const code: number[] = []
  for (let left = 14; left > 0; left--) {
    // The last two pieces end most runs.
    const words = PIECES[randomInt(rng, randomInt(rng, 8) ? PIECES.length - 2 : PIECES.length)]!
    const all = words.split(' ')
    const place = code.length + all.length - 1
    for (const word of all) {
      const values: Record<string, number> = { n: randomInt(rng, 256), j: place, 3: 3 }
      code.push(OPCODES[word] ?? values[word] ?? randomInt(rng, 256))
    }
  }
  return Uint8Array.from(code)
}

test('given random code, when nothing listens to its steps, then it ends as in the loop of the EVM itself, which runs when a tracer listens', async () => {
  const contracts = Array.from({ length: 300 }, (_, index) => ({
    address: `0x${(0xc000 + index).toString(16).padStart(40, '0')}` as Address,
    code: bytesToHex(randomCode(index)),
  }))
  const alloc = contracts.map(({ address, code }) => [address, { code, nonce: 1n, balance: 9n }])
  const { executor, store, genesis, block } = await openTestBlock(Object.fromEntries(alloc))
  const run = async (to: Address, tracer?: Tracer) => {
    const { stateRoot } = genesis.header
    const state = executor.openScratch({ store, stateRoot, ...(tracer && { tracer }) })
    const message = { from: ALICE, to, data: new Uint8Array(40).fill(7), value: 0n, gas: 90_000n }
    const outcome = await state.call(message, { environment: block.environment, validate: false })
    return { ...outcome, root: await state.commit() }
  }
  let steps = 0
  const tracer: Tracer = { onStep: () => void steps++ }
  const statuses = { 0: 0, 1: 0 }
  for (const { address, code } of contracts) {
    const first = await run(address)
    expect(first, code).toEqual(await run(address, tracer))
    // Its jumps are known now.
    expect(await run(address), code).toEqual(first)
    statuses[first.status]++
  }
  expect(steps).toBeGreaterThan(3_000)
  expect(Math.min(statuses[0], statuses[1])).toBeGreaterThan(20)
})

test('given code that ends within the data of a PUSH, then zeros follow, before and after its jumps are known', async () => {
  // PUSH1 3, JUMP, JUMPDEST, …, PUSH2 with one byte of data: the frame stops.
  const [jumping, straight]: Address[] = [`0x${'c1'.repeat(20)}`, `0x${'c2'.repeat(20)}`]
  const { executor, store, genesis, block } = await openTestBlock({
    [jumping!]: { code: '0x6003565b61ff' },
    [straight!]: { code: '0x61ff' },
  })
  for (const to of [jumping!, jumping!, straight!]) {
    const state = executor.openScratch({ store, stateRoot: genesis.header.stateRoot })
    const message = { from: ALICE, to, data: new Uint8Array(0), value: 0n, gas: 50_000n }
    const { environment } = block
    expect(await state.call(message, { environment, validate: false })).toMatchObject({ status: 1 })
  }
})

test('given a REVERT that asks for all memory there could be, when traced, then it runs out of gas like any', async () => {
  const greedy: Address = `0x${'c3'.repeat(20)}`
  // PUSH32 2²⁵⁶-1, PUSH0, REVERT.
  const code = `0x7f${'ff'.repeat(32)}5ffd` as const
  const { executor, store, genesis, block } = await openTestBlock({ [greedy]: { code } })
  const steps: string[] = []
  const tracer: Tracer = { onStep: ({ opName }) => void steps.push(opName) }
  const state = executor.openScratch({ store, stateRoot: genesis.header.stateRoot, tracer })
  const message = { from: ALICE, to: greedy, data: new Uint8Array(0), value: 0n, gas: 50_000n }
  const { environment } = block
  const outcome = await state.call(message, { environment, validate: false })
  expect(outcome).toMatchObject({ status: 0, gasUsed: 50_000n })
  expect(steps).toEqual(['PUSH32', 'PUSH0', 'REVERT'])
})
