import { type Hex, slice } from 'viem'
import { STORAGE } from './contracts.ts'
import { createTestNode, type TestNode, word } from './test-node.ts'

export type Json = Record<string, unknown>

export interface SimulatedCall extends Json {
  status: Hex
  gasUsed: Hex
  returnData: Hex
  logs: Json[]
  error?: unknown
}

export interface SimulatedElement extends Json {
  number: Hex
  hash: Hex
  parentHash: Hex
  timestamp: Hex
  calls: SimulatedCall[]
  transactions: unknown[]
}

/** Accounts without anything. */
export const POOR: Hex = `0x${'99'.repeat(20)}`
export const OTHER: Hex = `0x${'88'.repeat(20)}`

export const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`
/** Two words of data. */
export const pair = (first: number, second: number): Hex =>
  `${word(first)}${word(second).slice(2) as Hex}`
export const setSlot = (slot: number, value: number) => ({ to: STORAGE, data: pair(slot, value) })
export const getSlot = (slot: number) => ({ to: STORAGE, data: word(slot) })
/** The n-th word that CONTEXT returned. */
export const contextWord = (call: SimulatedCall, index: number): bigint =>
  BigInt(slice(call.returnData, 32 * index, 32 * index + 32))

/** A node whose block 1 is sealed; slot 1 of STORAGE is 11 there and 33 pre-confirmed. */
export async function createSimulationScene() {
  const node: TestNode = await createTestNode()
  await node.chain.mine(await node.sign({ to: STORAGE, data: pair(1, 11) }))
  await node.chain.flashblock(await node.sign({ to: STORAGE, data: pair(1, 33) }))
  const simulate = (payload: object, selector: unknown = 'latest'): Promise<SimulatedElement[]> =>
    node.rpc('eth_simulateV1', payload, selector)
  return {
    node,
    simulate,
    blocks: (...blockStateCalls: object[]) => simulate({ blockStateCalls }),
    /** The results of calls in one block. */
    async calls(list: object[], rest: object = {}, entry: object = {}): Promise<SimulatedCall[]> {
      const [block] = await simulate({ blockStateCalls: [{ ...entry, calls: list }], ...rest })
      return block!.calls
    },
  }
}
