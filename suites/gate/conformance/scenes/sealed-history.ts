import { toHex } from 'viem'
import { cannotJudge } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import type { Driver, SealedTransaction } from '../drivers/driver.ts'
import { encodeLogEntries, type LogEntry } from '../probes/contracts.ts'
import { toWord, words } from '../reads/eth-call.ts'
import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import { type Probes, probeContracts } from './probe-contracts.ts'

/** keccak256 of an ordinary event signature (RPC-LOG-04). */
export const TRANSFER = keccak256(toHex('Transfer(address,address,uint256)'))
export const OTHER = keccak256(toHex('Other(bytes32)'))
export const X = toWord(0xaa01)
export const Y = toWord(0xaa02)
export const Z = toWord(0xaa03)
const AMOUNT = toWord(1234)
/** A block may end while three transactions are on their way; one of 200 ms often does. */
const LEAST_ATTEMPTS = 4
const LEAST_ATTEMPTS_TODAY = 25
/** A busy machine needs more; milliseconds, half of what a scene has. */
const PATIENCE = 60_000

/** The slot that is written twice, and what it held after the first and second block. */
export const WRITTEN = { slot: 5n, first: 0x11n, second: 0x22n }
/** A 256-bit slot, written once (RPC-STOR-03). */
export const FAR_SLOT = BigInt(keccak256(toHex('rollbed.far.slot')))
export const FAR_VALUE = BigInt(keccak256(toHex('rollbed.far.value')))

/** A log the driver caused, known from what it sent and where it was sealed. */
export interface ExpectedLog {
  emitter: keyof Probes
  address: Hex
  topics: readonly Hex[]
  data: Hex
  transaction: SealedTransaction
}

export interface SealedHistory {
  probes: Probes
  /** Three logging transactions in one block. */
  first: SealedTransaction[]
  /** One log and the second write, in a later block. */
  second: SealedTransaction
  /** Two equal logs, later still. */
  third: SealedTransaction
  /** All logs in chain order. */
  logs: ExpectedLog[]
  /** Blocks in which the slot got its first and second value. */
  writes: { first: bigint; second: bigint }
}

const log = (topics: Hex[], data: Hex = '0x'): LogEntry => ({ topics, data })
const FIRST: readonly (readonly [keyof Probes, readonly LogEntry[]])[] = [
  ['logA', [log([TRANSFER, X], AMOUNT), log([])]],
  ['logB', [log([OTHER, X]), log([TRANSFER, Y, Z, X], AMOUNT)]],
  ['logC', [log([TRANSFER, X, Y]), log([OTHER], AMOUNT)]],
]
const SECOND = [log([TRANSFER, Y])]
/** Twins: only their places tell them apart. */
const THIRD = [log([OTHER, X]), log([OTHER, X])]

/** Logs and storage writes in three sealed blocks. */
export const sealedHistory: Scene<SealedHistory> = {
  name: 'sealed history',
  kind: 'fact',
  async build(context) {
    const { driver } = context
    const probes = await context.scene(probeContracts)
    const emit = (emitter: keyof Probes, entries: readonly LogEntry[]) =>
      driver.send({ account: 1, to: probes[emitter], data: encodeLogEntries(entries) })
    const write = (slot: bigint, value: bigint) =>
      driver.send({ account: 1, to: probes.store, data: words(slot, value) })

    const logC = FIRST[2]!
    const through = `${toWord(probes[logC[0]])}${encodeLogEntries(logC[1]).slice(2)}` as Hex
    const logging = () => [
      emit(...FIRST[0]!),
      emit(...FIRST[1]!),
      driver.send({ account: 1, to: probes.forward, data: through }),
    ]
    // Only the logs are sent again: a slot that was written twice has no first value to look for.
    const [first, written] = await Promise.all([
      inOneBlock(context, logging),
      allSealed(driver, [write(WRITTEN.slot, WRITTEN.first), write(FAR_SLOT, FAR_VALUE)]),
    ])
    const two = await allSealed(driver, [emit('logA', SECOND), write(WRITTEN.slot, WRITTEN.second)])
    const three = await allSealed(driver, [emit('logA', THIRD)])
    const expected = (
      emitter: keyof Probes,
      entries: readonly LogEntry[],
      transaction: SealedTransaction,
    ) => entries.map((entry) => ({ ...entry, emitter, address: probes[emitter], transaction }))
    return {
      probes,
      first,
      second: two[0]!,
      third: three[0]!,
      logs: [
        ...FIRST.flatMap(([emitter, entries], index) => expected(emitter, entries, first[index]!)),
        ...expected('logA', SECOND, two[0]!),
        ...expected('logA', THIRD, three[0]!),
      ],
      writes: { first: written[0]!.blockNumber, second: two[1]!.blockNumber },
    }
  },
}

async function allSealed(driver: Driver, sent: Promise<Hex>[]): Promise<SealedTransaction[]> {
  const sealed = await Promise.all((await Promise.all(sent)).map((hash) => driver.sealed(hash)))
  if (sealed.some((each) => !each.succeeded)) cannotJudge('A transaction of the driver failed.')
  return sealed
}

/** Sends until all share a block; what went apart before lies outside of the history. */
async function inOneBlock(
  { clock, driver, profile }: CaseContext,
  send: () => Promise<Hex>[],
): Promise<SealedTransaction[]> {
  const least = profile === 'today' ? LEAST_ATTEMPTS_TODAY : LEAST_ATTEMPTS
  const until = clock.now() + PATIENCE
  let attempts = 0
  while (attempts < least || clock.now() < until) {
    attempts += 1
    if (profile === 'today' || attempts > 1) await driver.blockStart()
    const sealed = await allSealed(driver, send())
    const heights = new Set(sealed.map((each) => each.blockNumber))
    if (heights.size === 1) return sealed
  }
  return cannotJudge(
    `The driver could not get three transactions into one block, ${attempts} times in a row.`,
  )
}
