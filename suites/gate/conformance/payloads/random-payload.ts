import { padHex, size } from 'viem'
import type { Hex } from '../wire/hex.ts'
import { ADDRESSED, CONTRACTS, SENDERS } from './accounts.ts'
import fc, { type Arbitrary } from './fast-check.ts'
import type { Contract, Payload, PayloadBlock, PayloadCall } from './payload.ts'
import {
  BINARY,
  CALLS,
  type End,
  MORE_OF_BLOCK,
  OF_BLOCK,
  OTHERS,
  OWN,
  type Piece,
  type Program,
} from './program.ts'

const hexOf = (least: number, most: number): Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: least, maxLength: most, size: 'max' })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)

const pick = <T>(values: readonly T[]) => fc.constantFrom(...values)
const names = <T extends object>(table: T) => pick(Object.keys(table) as (keyof T)[])

/** Small numbers, and words at the edges of what careless arithmetic gets right. */
const word: Arbitrary<Hex> = fc.oneof(
  hexOf(1, 1),
  pick<Hex>([
    `0x${'ff'.repeat(32)}`,
    `0x80${'00'.repeat(31)}`,
    `0x7f${'ff'.repeat(31)}`,
    `0x01${'00'.repeat(16)}`,
    `0x${'ff'.repeat(16)}`,
  ]),
  hexOf(1, 32),
)
/** Gas of a byte of data at most (EIP-7623): with less, a call is none. */
const FLOOR = 40
const slot = fc.nat({ max: 5 })
/** What a slot holds before anybody writes to it. */
const stored = fc.oneof(fc.bigInt({ min: 0n, max: 9n }), word.map(BigInt))
const addressed = fc.nat({ max: ADDRESSED.length - 1 })
const wei = fc.oneof(fc.constant(0), fc.nat({ max: 1_200 }))
const offset = fc.nat({ max: 96 })
/** Of memory, what is mostly zero beyond what a program put there. */
const length = fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 200 }) }, fc.nat({ max: 5_000 }))
/** Stops, stores one, gives its input back, is refused as code (EIP-3541), and is none. */
const runtime = pick<Hex>(['0x00', '0x600160005500', '0x365f5f37365ff3', '0xef00', '0xfe'])

const make = <K extends Piece['do']>(
  what: K,
  members: { [M in Exclude<keyof (Piece & { do: K }), 'do'>]: Arbitrary<(Piece & { do: K })[M]> },
) => fc.record({ do: fc.constant(what), ...members }) as unknown as Arbitrary<Piece>

const anyPiece: Arbitrary<Piece> = fc.oneof(
  make('store', { slot, value: word }),
  make('count', { slot, by: fc.nat({ max: 9 }) }),
  make('reckon', { with: names(BINARY), a: word, b: word, slot }),
  make('own', { what: names(OWN), slot }),
  make('look', { what: names(OTHERS), at: addressed, slot }),
  {
    weight: 2,
    arbitrary: make('log', {
      topics: fc.array(
        word.map((each) => padHex(each, { size: 32 })),
        { maxLength: 4 },
      ),
      from: offset,
      size: length,
    }),
  },
  {
    weight: 3,
    arbitrary: make('call', { by: names(CALLS), to: addressed, value: wei, size: length, slot }),
  },
  make('create', { value: wei, runtime, slot }),
  make('hash', { from: offset, size: length, slot }),
  make('pass', { slot, value: word }),
  make('remember', { at: offset, value: word }),
)

const end: Arbitrary<End> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ with: pick(['stop', 'nothing'] as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ with: fc.constant('return' as const), from: offset, size: length }),
  },
  fc.record({ with: fc.constant('revert' as const), from: offset, size: length }),
  fc.record({
    with: fc.constant('reason' as const),
    text: fc.string({ maxLength: 100, size: 'max' }),
  }),
  fc.record({ with: fc.constant('panic' as const), code: pick([0x01, 0x11, 0x12, 0x32]) }),
  fc.record({ with: fc.constant('custom' as const), selector: hexOf(4, 4), value: word }),
  fc.record({ with: pick(['invalid', 'loop'] as const) }),
  fc.record({ with: fc.constant('destroy' as const), to: addressed }),
)

const programOf = (piece: Arbitrary<Piece>): Arbitrary<Program> =>
  fc.record({ pieces: fc.array(piece, { maxLength: 8 }), end })
const program = programOf(anyPiece)

const contractOf = (runs: Arbitrary<Program>): Arbitrary<Contract> =>
  fc.record({
    program: runs,
    balance: fc.nat({ max: 2_000 }),
    // A created account's nonce is one at least (EIP-161).
    nonce: fc.integer({ min: 1, max: 300 }),
    storage: fc.array(stored, { maxLength: 4 }),
  })

const call: Arbitrary<PayloadCall> = fc
  .record({
    sender: fc.nat({ max: SENDERS.length - 1 }),
    to: fc.nat({ max: CONTRACTS.length - 1 }),
    value: fc.oneof(
      { weight: 4, arbitrary: wei.map(BigInt) },
      fc.bigInt({ min: 2n ** 32n, max: 2n ** 90n }),
    ),
    data: fc.oneof({ weight: 9, arbitrary: hexOf(0, 80) }, hexOf(900, 3_000)),
    // Enough for most programs, and too little for some.
    gas: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 500_000, max: 1_500_000 }) },
      fc.integer({ min: 30_000, max: 200_000 }),
    ),
  })
  .map(({ gas, ...rest }) => ({ ...rest, gas: gas + FLOOR * size(rest.data) }))

const anyContract = fc.nat({ max: CONTRACTS.length - 1 })
const calls = fc.array(call, { minLength: 1, maxLength: 4 })
const block: Arbitrary<PayloadBlock> = fc.record({
  replaced: fc.option(fc.record({ contract: anyContract, program }), { nil: undefined, freq: 3 }),
  rewritten: fc.option(
    fc.record({
      contract: anyContract,
      slots: fc.array(stored, { maxLength: 3 }),
      isWhole: fc.boolean(),
    }),
    { nil: undefined, freq: 3 },
  ),
  calls,
})

const contractsOf = (runs: Arbitrary<Program>) =>
  fc.array(contractOf(runs), { minLength: CONTRACTS.length, maxLength: CONTRACTS.length })
const contracts = contractsOf(program)

/** A single call. */
export const randomCall: Arbitrary<Payload> = fc.record({
  contracts,
  blocks: call.map((each) => [{ replaced: undefined, calls: [each] }]),
})

/** Simulations of one to three blocks. */
export const randomPayload: Arbitrary<Payload> = fc.record({
  contracts,
  blocks: fc.array(block, { minLength: 1, maxLength: 3 }),
})

/** The same without what no document says of traced transfers. */
const drawnTransfers: Arbitrary<Payload> = randomPayload.map(({ contracts, blocks }) => ({
  contracts: contracts.map((each) => ({ ...each, program: withoutOddMoves(each.program) })),
  blocks: blocks.map(({ replaced, ...rest }) => ({
    ...rest,
    replaced: replaced && { ...replaced, program: withoutOddMoves(replaced.program) },
  })),
}))

/** Contracts that have ether and pass it on, each to those after it: one call then tells many transfers, as few do. */
const passing = CONTRACTS.map((_, index) => {
  const pass = make('call', {
    by: fc.constant('CALL' as const),
    to: fc.integer({ min: index + 1, max: ADDRESSED.length - 1 }),
    value: fc.integer({ min: 1, max: 20 }),
    ...{ size: fc.constant(0), slot },
  })
  const ends = [{ with: 'stop' }, { with: 'stop' }, { with: 'revert', from: 0, size: 0 }] as const
  return fc.record({
    program: fc.record({
      pieces: fc.array(pass, { minLength: 2, maxLength: 4 }),
      // The first, of which the others are called, is not to take all of it back.
      end: pick<End>(index === 0 ? ends.slice(0, 1) : ends),
    }),
    ...{ balance: fc.constant(1_000), nonce: fc.constant(1), storage: fc.constant([]) },
  })
})
const manyTransfers: Arbitrary<Payload> = fc.record({
  contracts: fc.tuple(...passing),
  blocks: calls.map((drawn) => [
    { replaced: undefined, calls: drawn.map((each) => ({ ...each, gas: 3_000_000 })) },
  ]),
})

/**
 * Simulations that move ether, without what no document says of traced transfers: whether CALLCODE, which moves
 * nothing, and a contract that is destroyed tell one.
 */
export const randomTransfers: Arbitrary<Payload> = fc.oneof(
  { weight: 2, arbitrary: drawnTransfers },
  manyTransfers,
)

function withoutOddMoves({ pieces, end }: Program): Program {
  return {
    pieces: pieces.map((piece) =>
      piece.do === 'call' && piece.by === 'CALLCODE' ? { ...piece, value: 0 } : piece,
    ),
    end: end.with === 'destroy' ? { with: 'stop' } : end,
  }
}

/** Nodes simulate 256 blocks beyond the base at most. */
const step = fc.bigInt({ min: 1n, max: 50n })
const others = fc.record({
  gasLimit: fc.bigInt({ min: 20_000_000n, max: 2n ** 31n }),
  // Who names no fee pays none, whatever the base fee is.
  baseFeePerGas: fc.bigInt({ min: 1n, max: 2n ** 60n }),
  feeRecipient: hexOf(20, 20),
  prevRandao: hexOf(32, 32),
})

/**
 * Simulations whose blocks have number, time and, where it is asked for, all other values overridden.
 *
 * @param options `base` is the block on which they stand; its time in seconds
 */
export function randomHeaders({
  hasOthers,
  base,
}: {
  hasOthers: boolean
  base: { number: bigint; timestamp: bigint }
}): Arbitrary<Payload> {
  const what = names(hasOthers ? MORE_OF_BLOCK : OF_BLOCK)
  const piece = fc.oneof(
    { weight: 3, arbitrary: make('block', { what, slot }) },
    { weight: 2, arbitrary: make('log', { topics: fc.constant([]), from: offset, size: length }) },
    make('remember', { at: offset, value: word }),
  )
  const later = fc.record({ number: step, timestamp: step, calls, ...(hasOthers && { others }) })
  return fc
    .record({
      contracts: contractsOf(programOf(piece)),
      blocks: fc.array(later, { minLength: 1, maxLength: 3 }),
    })
    .map(({ contracts, blocks }) => {
      let { number, timestamp } = base
      const numbered = blocks.map((each) => {
        number += each.number
        timestamp += each.timestamp
        const header = { number, timestamp, ...(each.others && { others: each.others }) }
        return { replaced: undefined, calls: each.calls, header }
      })
      return { contracts, blocks: numbered }
    })
}
