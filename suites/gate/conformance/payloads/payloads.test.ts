import fc from 'fast-check'
import { concatHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { CaseFailure } from '../case-failure.ts'
import { toWord } from '../reads/eth-call.ts'
import { CONTRACTS } from './accounts.ts'
import { judgeDrawn } from './judge-drawn.ts'
import { outcomesOf } from './outcomes-of.ts'
import type { Contract, Payload } from './payload.ts'
import type { End, Piece } from './program.ts'
import { randomPayload, randomTransfers } from './random-payload.ts'

const nothing = { pieces: [], end: { with: 'stop' } } as const
const idle = { program: nothing, balance: 0, nonce: 1, storage: [] }

/** Gas of DUP1, PUSH1, MSTORE, and of the first word of memory. */
const TO_MEMORY = 3n + 3n + 3n + 3n

/** Calls of a contract that does this, one after the other in each of the blocks. */
function payloadOf(
  pieces: readonly Piece[],
  end: End,
  { blocks = 1, data = '0x' as const } = {},
): Payload {
  const contract = { program: { pieces, end }, balance: 0, nonce: 1, storage: [4n] }
  const call = { sender: 0, to: 0, value: 0n, data, gas: 100_000 }
  return {
    contracts: [contract, idle, idle, idle],
    blocks: Array.from({ length: blocks }, () => ({ replaced: undefined, calls: [call] })),
  }
}

describe('what a payload comes to', () => {
  it('given a call that does nothing, then it costs what a transaction does, and EIP-7623 asks for data', async () => {
    const [plain] = (await outcomesOf(payloadOf([], { with: 'stop' }))).flat()
    const nothing = { returnData: '0x', logs: [], transfers: [] }
    expect(plain).toEqual({ status: '0x1', gasUsed: 21_000n, ...nothing })
    const [asked] = (
      await outcomesOf(payloadOf([], { with: 'stop' }, { data: '0x00ff' as never }))
    ).flat()
    expect(asked?.gasUsed).toBe(21_000n + 10n + 40n)
  })

  it('given a slot that is cleared in one block, then that gives gas back (EIP-3529), and the next one finds it cleared', async () => {
    const clear = payloadOf(
      [{ do: 'store', slot: 0, value: '0x00' }],
      { with: 'stop' },
      { blocks: 2 },
    )
    const [first, second] = (await outcomesOf(clear)).flat()
    // Two pushes, and 2,100 + 2,900 for a cold slot; 4,800 are given back. Then 2,100 + 100: nothing changes.
    expect(first?.gasUsed).toBe(21_000n + 6n + TO_MEMORY + 5_000n - 4_800n)
    expect(second?.gasUsed).toBe(21_000n + 6n + TO_MEMORY + 2_200n)
  })

  it('given a panic, then its bytes are those of Solidity', async () => {
    const [outcome] = (await outcomesOf(payloadOf([], { with: 'panic', code: 0x11 }))).flat()
    expect(outcome).toMatchObject({
      status: '0x0',
      returnData: `0x4e487b71${'11'.padStart(64, '0')}`,
      logs: [],
    })
  })

  it('given ether that moves through three contracts, then each move is told, but for those taken back', async () => {
    const onward = (to: number, end: End): Contract => ({
      ...idle,
      balance: 9,
      program: {
        pieces: [{ do: 'call', by: 'CALL', to, value: 5 - to, size: 0, slot: 0 }],
        end,
      },
    })
    const contracts = [onward(1, { with: 'stop' }), onward(2, { with: 'stop' }), idle, idle]
    const call = { sender: 0, to: 0, value: 7n, data: '0x', gas: 200_000 } as const
    const movesOf = async (each: typeof contracts) => {
      const blocks = [{ replaced: undefined, calls: [call] }]
      const [outcome] = (await outcomesOf({ contracts: each, blocks })).flat()
      return outcome?.transfers.map(({ to, value }) => [to, value])
    }
    const [first, second, third] = CONTRACTS
    expect(await movesOf(contracts)).toEqual([
      [first, 7n],
      [second, 4n],
      [third, 3n],
    ])
    const reverted = contracts.with(1, onward(2, { with: 'revert', from: 0, size: 0 }))
    expect(await movesOf(reverted)).toEqual([[first, 7n]])
  })

  it('given block values, then code reads them', async () => {
    const payload = payloadOf([{ do: 'block', what: 'NUMBER', slot: 0 }], { with: 'stop' })
    const [block] = payload.blocks
    const log = { do: 'log', topics: [], from: 0, size: 32 } as const
    const reading = { do: 'block', what: 'TIMESTAMP', slot: 0 } as const
    const { gasUsed } = (
      await outcomesOf({
        ...payload,
        blocks: [{ ...block!, header: { number: 4n, timestamp: 9n } }],
      })
    ).flat()[0]!
    // The slot holds 4 already, so that nothing changes: 2,100 + 100.
    expect(gasUsed).toBe(21_000n + 2n + 3n + TO_MEMORY + 2_200n)
    const other = payloadOf([reading, log], { with: 'stop' })
    const [changed] = (
      await outcomesOf({
        ...other,
        blocks: [{ ...other.blocks[0]!, header: { number: 4n, timestamp: 9n } }],
      })
    ).flat()
    // 4 becomes 9: 2,100 + 2,900.
    expect(changed?.gasUsed).toBeGreaterThan(21_000n + 5_000n)
  })

  it('given storage that a later block overrides, then what is whole forgets the other slots', async () => {
    const read = { do: 'store', slot: 0, value: '0x04' } as const
    const costs = async (isWhole: boolean) => {
      const payload = payloadOf([read], { with: 'stop' }, { blocks: 2 })
      const [one, two] = payload.blocks
      const rewritten = { contract: 0, slots: [], isWhole }
      const blocks = [one!, { ...two!, rewritten }]
      return (await outcomesOf({ ...payload, blocks })).flat()[1]!.gasUsed
    }
    // 4 is there: 2,200; it is not: 22,100 for a slot that was empty.
    expect(await costs(false)).toBe(21_000n + 6n + TO_MEMORY + 2_200n)
    expect(await costs(true)).toBe(21_000n + 6n + TO_MEMORY + 22_100n)
  })

  it('given what code reckons and keeps, then it returns that, and what a slot far away held', async () => {
    const payload = payloadOf(
      [
        { do: 'reckon', with: 'MUL', a: '0x06', b: '0x07', slot: 0 },
        { do: 'count', slot: 2, by: 1 },
      ],
      { with: 'return', from: 0, size: 96 },
    )
    const [first, ...others] = payload.contracts
    const contracts = [{ ...first!, storage: [0n, 0n, 2n ** 200n] }, ...others]
    const [outcome] = (await outcomesOf({ ...payload, contracts })).flat()
    expect(outcome?.returnData).toBe(concatHex([toWord(42), toWord(0), toWord(2n ** 200n + 1n)]))
  })

  it('given many payloads, then calls succeed, revert with bytes, halt and log, each of them often', async () => {
    const drawn = fc.sample(randomPayload, { seed: 1, numRuns: 60 })
    const all = (await Promise.all(drawn.map(outcomesOf))).flat(2)
    const share = (fits: (one: (typeof all)[number]) => boolean) =>
      all.filter(fits).length / all.length
    expect(share(({ status }) => status === '0x1')).toBeGreaterThan(0.4)
    expect(
      share(({ status, returnData }) => status === '0x0' && returnData !== '0x'),
    ).toBeGreaterThan(0.1)
    expect(
      share(({ status, returnData }) => status === '0x0' && returnData === '0x'),
    ).toBeGreaterThan(0.1)
    expect(share(({ logs }) => logs.length > 0)).toBeGreaterThan(0.1)
  })
})

it('given many payloads that move ether, then calls of several tell three transfers and more', async () => {
  const drawn = fc.sample(randomTransfers, { seed: 1, numRuns: 30 })
  const most = (await Promise.all(drawn.map(outcomesOf))).map((blocks) =>
    Math.max(...blocks.flat().map(({ transfers }) => transfers.length)),
  )
  expect(most.filter((count) => count > 2).length).toBeGreaterThan(3)
})

describe('what is drawn', () => {
  const draw = { seed: 5, effort: 'normal' } as const
  const judge = async (value: number) => {
    if (value >= 17) throw new CaseFailure({ at: 'value', expected: 'less than 17', actual: value })
  }

  it('given a rule that some break, then the simplest of them is told, and its seed', async () => {
    await expect(judgeDrawn(fc.nat(), draw, judge)).rejects.toMatchObject({
      code: 'CASE_FAILED',
      at: 'value',
      actual: 17,
      hint: expect.stringContaining('of seed 5'),
    })
  })

  it('given a long value that breaks the rule, when enough simpler ones were tried, then no more are made', async () => {
    let made = 0
    const long = fc.uint8Array({ minLength: 900, maxLength: 3_000, size: 'max' }).map((bytes) => {
      made += 1
      return bytes.length
    })
    const breaks = async (length: number) => {
      if (length > 1_000) throw new CaseFailure({ at: 'length', expected: 1_000, actual: length })
    }
    await expect(judgeDrawn(long, draw, breaks)).rejects.toMatchObject({ at: 'length' })
    expect(made).toBeLessThan(300)
  })

  it('given what is no verdict, then it is thrown as it is', async () => {
    const gone = new Error('gone')
    await expect(
      judgeDrawn(fc.nat(), draw, async () => {
        throw gone
      }),
    ).rejects.toBe(gone)
  })

  it('given most of the time gone by, then ten are judged, no more, and that is told', async () => {
    const judged: number[] = []
    const notes: string[] = []
    const late = { limit: { share: 0.7 }, note: (text: string) => void notes.push(text) }
    const keep = async (value: number) => void judged.push(value)
    await judgeDrawn(fc.nat(), { ...draw, ...late }, keep)
    expect(judged).toHaveLength(10)
    expect(notes).toEqual(['Of 60 drawn, 10 were judged in time.'])
    await judgeDrawn(fc.nat(), { ...draw, ...late, limit: { share: 0.5 } }, keep)
    expect(judged).toHaveLength(70)
    expect(notes).toHaveLength(1)
  })
})
