import { createEVM, type EVMRunCallOpts } from '@ethereumjs/evm'
import { bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Hex } from '../wire/hex.ts'
import { assemble, deployment } from './assembly.ts'
import {
  BALANCE_PROBE,
  CONTEXT_PROBE,
  CONTEXT_WORDS,
  COUNTER_PROBE,
  ECHO_PROBE,
  encodeLogEntries,
  FORWARD_PROBE,
  LOG_PROBE,
  LOOP_PROBE,
  REVERT_PROBE,
  STORE_PROBE,
} from './contracts.ts'

const SELF = createAddressFromString(`0x${'11'.repeat(20)}`)
const CALLER = createAddressFromString(`0x${'22'.repeat(20)}`)
const word = (value: number | bigint) => value.toString(16).padStart(64, '0')
const block = {
  header: {
    number: 5n,
    timestamp: 6n,
    baseFeePerGas: 7n,
    gasLimit: 8n,
    difficulty: 0n,
    coinbase: CALLER,
    prevRandao: new Uint8Array(32),
    getBlobGasPrice: () => undefined,
  },
} as unknown as NonNullable<EVMRunCallOpts['block']>
let evm: Awaited<ReturnType<typeof createEVM>>

beforeAll(async () => {
  evm = await createEVM()
})

/** Runs code at SELF and returns what came back. */
async function run(code: Hex, data: Hex = '0x', value = 0n) {
  await evm.stateManager.putCode(SELF, hexToBytes(code))
  const { execResult } = await evm.runCall({
    to: SELF,
    caller: CALLER,
    data: hexToBytes(data),
    value,
    gasLimit: 5_000_000n,
    skipBalance: true,
    block,
  })
  return {
    failed: execResult.exceptionError?.error,
    output: bytesToHex(execResult.returnValue),
    logs: execResult.logs ?? [],
    gas: execResult.executionGasUsed,
  }
}

describe('the assembler', () => {
  it('given opcodes, pushes and jump targets, then it writes them', () => {
    expect(assemble('@end JUMP 0x0102 end: STOP')).toBe('0x61000756610102' + '5b00')
    expect(() => assemble('NOPE')).toThrow(RangeError)
    expect(() => assemble('@nowhere')).toThrow(RangeError)
  })

  it('given runtime code, then creating what it wraps deploys exactly that code', async () => {
    const { execResult } = await evm.runCall({
      caller: CALLER,
      data: hexToBytes(deployment(ECHO_PROBE)),
      gasLimit: 1_000_000n,
    })
    expect(bytesToHex(execResult.returnValue)).toBe(ECHO_PROBE)
  })
})

describe('the probe contracts, run in an independent EVM', () => {
  it('given calldata, then the probes echo it and revert with it', async () => {
    expect(await run(ECHO_PROBE, '0x010203')).toMatchObject({ output: '0x010203' })
    expect(await run(REVERT_PROBE, '0xaabb')).toMatchObject({ output: '0xaabb', failed: 'revert' })
  })

  it('given a call, then the probe shows its context word by word', async () => {
    const { output } = await run(CONTEXT_PROBE, '0x', 7n)
    const at = (name: (typeof CONTEXT_WORDS)[number]) =>
      BigInt(
        `0x${output
          .slice(2)
          .slice(64 * CONTEXT_WORDS.indexOf(name))
          .slice(0, 64)}`,
      )
    expect(output.length).toBe(2 + 64 * CONTEXT_WORDS.length)
    expect([at('ADDRESS'), at('CALLER'), at('CALLVALUE'), at('NUMBER'), at('BASEFEE')]).toEqual([
      BigInt(SELF.toString()),
      BigInt(CALLER.toString()),
      7n,
      5n,
      7n,
    ])
  })

  it('given words, then the probe stores them, reads them back and counts', async () => {
    await run(STORE_PROBE, `0x${word(3)}${word(9)}`)
    expect(await run(STORE_PROBE, `0x${word(3)}`)).toMatchObject({ output: `0x${word(9)}` })
    expect(await run(COUNTER_PROBE)).toMatchObject({ output: `0x${word(1)}` })
    expect(await run(COUNTER_PROBE)).toMatchObject({ output: `0x${word(2)}` })
  })

  it('given an account, then the probe reports its balance', async () => {
    const { output } = await run(BALANCE_PROBE, `0x${SELF.toString().slice(2).padStart(64, '0')}`)
    expect(BigInt(output)).toBe(7n)
  })

  it('given a number of rounds, then the probe burns gas in proportion', async () => {
    const short = await run(LOOP_PROBE, `0x${word(10)}`)
    const long = await run(LOOP_PROBE, `0x${word(1010)}`)
    expect(long).toMatchObject({ output: `0x${word(1)}`, failed: undefined })
    expect(Number(long.gas - short.gas)).toBeGreaterThan(30_000)
  })

  it('given a list of events, then the probe emits each, through another contract too', async () => {
    const topics = [1, 2, 3, 4].map((value): Hex => `0x${word(value)}`)
    const entries = [0, 1, 2, 3, 4].map((count) => ({
      topics: topics.slice(0, count),
      data: `0x${word(99).repeat(count)}${'ab'.repeat(count % 3)}` as Hex,
    }))
    const { logs } = await run(LOG_PROBE, encodeLogEntries(entries))
    const seen = logs.map(([, t, data]) => ({ topics: t.map(bytesToHex), data: bytesToHex(data) }))
    expect(seen).toEqual(entries)

    const forwarder = createAddressFromString(`0x${'33'.repeat(20)}`)
    await evm.stateManager.putCode(forwarder, hexToBytes(FORWARD_PROBE))
    const target = SELF.toString().slice(2).padStart(64, '0')
    const { execResult } = await evm.runCall({
      to: forwarder,
      caller: CALLER,
      data: hexToBytes(`0x${target}${encodeLogEntries(entries.slice(1, 2)).slice(2)}`),
      gasLimit: 1_000_000n,
    })
    expect(execResult.logs?.map(([address]) => bytesToHex(address))).toEqual([SELF.toString()])
  })
})
