import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { createdAddress } from '#protocol/execution/created-address'
import type { BlockEnvironment } from '#protocol/execution/executor'
import { writeAlloc } from '#protocol/execution/genesis'
import { createMachine, type Machine } from '#protocol/execution/machine'
import { openMessage } from '#protocol/execution/open-message'
import { runEngine } from '#protocol/execution/run-engine'
import { takeOver } from '#protocol/execution/run-message'
import { WorldState } from '#protocol/execution/world-state'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Alloc } from '#protocol/types/account'
import type { Address, Hash } from '#protocol/types/bytes'
import type { Schedule } from '#protocol/types/schedule'
import { deploying } from '../differential/random-code.ts'
import type { RandomSource } from '../differential/random-source.ts'
import { fastRandomSource } from './fast-random-source.ts'
import { type ProgramEra, randomProgram } from './random-program.ts'
import {
  ancestorHash,
  createReferenceEvm,
  type MessageResult,
  type ReferenceContext,
  type ReferenceEvm,
  type ReferenceMessage,
} from './reference-evm.ts'
import { strangeAlloc, strangeInput } from './strange-alloc.ts'

const CHAIN_ID = 84_538_453
const SENDER: Address = `0x${'a1'.repeat(20)}`
const PROGRAMS_PER_STATE = 40
/** State roots are compared after so many messages, and at the end. */
const ROOT_EVERY = 5
const CONTEXT: ReferenceContext = {
  coinbase: '0x4200000000000000000000000000000000000011',
  gasPrice: 7n,
  timestamp: 1_700_000_000n,
  number: 1_000n,
  prevRandao: `0x${'5a'.repeat(32)}`,
  gasLimit: 60_000_000n,
  baseFee: 3n,
}

export interface ProgramsReport {
  programs: number
  succeeded: number
  /** What a message left besides its status: so that the fuzz cannot become empty. */
  logs: number
  creations: number
  /** Empty when both agree. */
  differences: string[]
}

/** Both engines, to be used for any number of seeds. */
export interface Contestants {
  machine: Machine
  reference: ReferenceEvm
  era: ProgramEra
}

export async function createContestants(era: ProgramEra = 'prague'): Promise<Contestants> {
  const upgrades: Schedule = era === 'osaka' ? { azul: Number(CONTEXT.timestamp) } : {}
  return {
    machine: await createMachine({ chainId: BigInt(CHAIN_ID), fork: 'isthmus', upgrades }),
    reference: await createReferenceEvm(CHAIN_ID, era),
    era,
  }
}

/** A strange state has code, storage, nonces and balances at precompiles and contracts of the system. */
export type StateKind = 'usual' | 'strange'

/**
 * Runs random programs, one after the other on the same state, through our engine and through
 * @ethereumjs/evm, and compares how they end, what they cost, give back and log, and the state.
 */
export async function comparePrograms(
  { machine, reference, era }: Contestants,
  seed: number,
  kind: StateKind = 'usual',
): Promise<ProgramsReport> {
  const random = fastRandomSource(seed)
  const known = people(random)
  const strange = kind === 'strange' ? strangeAlloc(random, known) : { alloc: {}, addresses: [] }
  const everyone = [...known, ...strange.addresses]
  const alloc = { ...strange.alloc, ...createAlloc(random, everyone, era) }
  const [ours, theirs] = [await openState(alloc), await openState(alloc)]
  machine.world = ours.world
  const report: ProgramsReport = {
    programs: 0,
    succeeded: 0,
    logs: 0,
    creations: 0,
    differences: [],
  }
  for (let index = 1; index <= PROGRAMS_PER_STATE && report.differences.length === 0; index++) {
    const message = randomMessage(random, everyone, era)
    if (kind === 'strange' && random.oneIn(2)) {
      message.to = random.pick(strange.addresses)
      message.data = strangeInput(random, alloc[message.to], everyone)
    }
    for (const { world } of [ours, theirs]) {
      const sender = await world.entry(SENDER)
      world.update(sender, { nonce: sender.nonce + 1n })
    }
    const mine = await runOurs(machine, message)
    const other = await reference.run(theirs.world, message, CONTEXT)
    if (other.isWrong) return report
    ours.world.endTransaction(mine.destroyed)
    theirs.world.endTransaction(other.destroyed)
    report.programs++
    report.succeeded += mine.status
    report.logs += mine.logs.length
    report.creations += message.to === null ? mine.status : 0
    const where = `seed ${seed} program ${index}`
    const [a, b] = [view(mine), view(other)]
    if (a !== b) report.differences.push(`${where}: ${a}\ninstead of ${b}\n${shown(message)}`)
    if (index % ROOT_EVERY === 0 || index === PROGRAMS_PER_STATE) {
      const [root, wanted] = [
        await ours.world.flush(ours.store),
        await theirs.world.flush(theirs.store),
      ]
      if (root !== wanted) report.differences.push(`${where}: state ${root} instead of ${wanted}`)
    }
  }
  return report
}

async function openState(alloc: Alloc) {
  const store = new MemoryStore()
  return { store, world: new WorldState(store, await writeAlloc(store, alloc)) }
}

function people(random: RandomSource): Address[] {
  const contracts = Array.from({ length: 8 }, () => bytesToHex(random.bytes(20)))
  const nobodies = Array.from({ length: 3 }, () => bytesToHex(random.bytes(20)))
  const precompiles = [1, 2, 3, 4, 5, 6, 7, 9, 0x100].map(
    (number): Address => `0x${number.toString(16).padStart(40, '0')}`,
  )
  return [...contracts, ...contracts, ...nobodies, SENDER, CONTEXT.coinbase, ...precompiles]
}

function createAlloc(random: RandomSource, everyone: readonly Address[], era: ProgramEra): Alloc {
  const alloc: Alloc = { [SENDER]: { balance: 10n ** 20n } }
  for (const address of everyone.slice(0, 8)) {
    const storage: Record<Hash, Hash> = {}
    for (let slot = 0; slot < 6; slot++) {
      if (random.oneIn(2)) storage[word(slot)] = word(1 + random.below(1000))
    }
    // One in six is an account of EIP-7702.
    const code = random.oneIn(6)
      ? (`0xef0100${random.pick(everyone).slice(2)}` as const)
      : bytesToHex(randomProgram(random, everyone, era))
    alloc[address] = { nonce: 1n, balance: BigInt(random.below(1000)), code, storage }
  }
  return alloc
}

function word(value: number): Hash {
  return `0x${value.toString(16).padStart(64, '0')}`
}

function randomMessage(
  random: RandomSource,
  everyone: readonly Address[],
  era: ProgramEra,
): ReferenceMessage {
  const gas = random.oneIn(6)
    ? BigInt(random.below(60_000))
    : BigInt(200_000 + random.below(800_000))
  const value = random.oneIn(3) ? BigInt(random.below(50)) : 0n
  if (!random.oneIn(4)) {
    const to = everyone[random.below(8)]!
    return { from: SENDER, to, value, data: random.bytes(random.below(100)), gas }
  }
  const runtime = randomProgram(random, everyone, era)
  const data = random.oneIn(3) ? runtime : deploying(random, everyone, runtime)
  return { from: SENDER, to: null, value, data, gas }
}

async function runOurs(machine: Machine, message: ReferenceMessage): Promise<MessageResult> {
  const { engine, world } = machine
  const { from, value, data: input, gas } = message
  const { nonce } = await world.entry(from)
  const target = hexToBytes(message.to ?? createdAddress(from, nonce - 1n))
  const caller = hexToBytes(from)
  openMessage(machine, ENVIRONMENT, { origin: caller, gasPrice: CONTEXT.gasPrice }, gas)
  const isCreation = message.to === null
  engine.begin({ caller, target, isCreation, value, gas, input })
  const halt = await runEngine(machine, ENVIRONMENT)
  const { gasLeft, refund, output } = engine.outcome()
  return {
    status: halt ? 0 : 1,
    gasUsed: gas - gasLeft,
    refund: halt ? 0n : refund,
    output,
    logs: halt ? [] : engine.logs(),
    destroyed: halt ? [] : takeOver(machine, engine.takeChanges()),
  }
}

const ENVIRONMENT: BlockEnvironment = {
  number: CONTEXT.number,
  timestamp: CONTEXT.timestamp,
  feeRecipient: CONTEXT.coinbase,
  gasLimit: CONTEXT.gasLimit,
  baseFeePerGas: CONTEXT.baseFee,
  prevRandao: CONTEXT.prevRandao,
  blobBaseFee: 1n,
  blockHash: async (number) => bytesToHex(ancestorHash(number)),
}

function view({ status, gasUsed, refund, output, logs, destroyed }: MessageResult): string {
  return JSON.stringify([
    status,
    String(gasUsed),
    String(refund),
    bytesToHex(output),
    logs.map(({ address, topics, data }) => [address, topics, bytesToHex(data)]),
    [...destroyed].sort(),
  ])
}

function shown({ to, value, data, gas }: ReferenceMessage): string {
  return `to ${to}, value ${value}, gas ${gas}, data ${bytesToHex(data)}`
}
