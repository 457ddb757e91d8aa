import { expect, test } from 'vitest'
import { keccak256 } from '#protocol/crypto/keccak'
import { Engine } from '#protocol/evm/engine'
import { EngineExit, isOver } from '#protocol/evm/engine-exit'
import { fastRandomSource } from './fast-random-source.ts'

// Run through, an engine pays once for a block of code; step by step, it pays for each opcode. A message that
// cannot pay for all of a block, or whose stack does not suffice for it, must end at the same opcode.

const SENDER = new Uint8Array(20).fill(0xa1)
const CONTRACT = new Uint8Array(20).fill(0xc0)
const BLOCK = {
  ...{ coinbase: SENDER, timestamp: 0n, number: 0n, prevRandao: new Uint8Array(32) },
  ...{ gasLimit: 60_000_000n, chainId: 1n, baseFee: 0n, blobBaseFee: 1n },
}
const context = { block: BLOCK, origin: SENDER, gasPrice: 0n, precompiles: [] }
const engine = new Engine()

function outcome(code: Uint8Array, gas: bigint, go: () => number) {
  const codeHash = keccak256(code)
  const host = {
    account: () => ({ nonce: 1n, balance: 0n, codeHash, hasStorage: false }),
    slot: () => Uint8Array.of(7),
    code: () => code,
  }
  const input = new Uint8Array(0)
  engine.open(context, host, gas)
  engine.begin({ caller: SENDER, target: CONTRACT, isCreation: false, value: 0n, gas, input })
  let exit = go()
  while (!isOver(exit)) exit = go()
  const { gasLeft, output } = engine.outcome()
  return [exit, gasLeft, Buffer.from(output).toString('hex')]
}

const ways = (code: Uint8Array, gas: bigint) => [
  outcome(code, gas, () => engine.run()),
  outcome(code, gas, () => engine.step()),
]

test('given a loop and every amount of gas, then it ends as it does opcode by opcode', () => {
  // Counts down from 3, takes memory and tells the gas on its way, and stops.
  const loop = Buffer.from('60035b806080525a5060019003806002570000', 'hex')
  const [whole] = ways(loop, 1_000_000n)
  expect(whole![0]).toBe(EngineExit.stop)
  const used = 1_000_000n - (whole![1] as bigint)
  // Yellow Paper, appendix G: a push, three rounds of 39, and five words of memory.
  expect(used).toBe(3n + 3n * 39n + 15n)
  for (let gas = 0n; gas <= used; gas++) {
    const [through, stepwise] = ways(loop, gas)
    expect(through).toEqual(stepwise)
    expect(through![0]).toBe(gas < used ? EngineExit.outOfGas : EngineExit.stop)
  }
})

test('given memory that grows within a block, then it is paid for before what follows', () => {
  // MSTORE far out, then POP of nothing; then the same where the gas suffices for the memory alone.
  const code = Buffer.from('5f611000525050', 'hex')
  const [enough] = ways(code, 100_000n)
  expect(enough![0]).toBe(EngineExit.stackUnderflow)
  const [tooLittle] = ways(code, 200n)
  expect(tooLittle![0]).toBe(EngineExit.outOfGas)
})

test('given random code and little gas, then it ends as it does opcode by opcode', () => {
  const random = fastRandomSource(27)
  const seen = new Set<unknown>()
  for (let index = 0; index < 3_000; index++) {
    // Mostly opcodes that push, copy and swap; now and then any byte.
    const code = Uint8Array.from({ length: 1 + random.below(40) }, () =>
      random.oneIn(4)
        ? random.below(256)
        : random.pick([0x5f, 0x5b, 0x56, 0x80 + random.below(32), 0x52, 0x01, 0x5a]),
    )
    const [through, stepwise] = ways(code, BigInt(random.below(200)))
    expect(through, Buffer.from(code).toString('hex')).toEqual(stepwise)
    seen.add(through![0])
  }
  const { stop, outOfGas, stackUnderflow, invalidOpcode, invalidJump } = EngineExit
  for (const exit of [stop, outOfGas, stackUnderflow, invalidOpcode, invalidJump]) {
    expect(seen).toContain(exit)
  }
})
