import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { parseFlag } from '#devnet/base/json-rpc/params/parse-boolean'
import { parsePooledBytes } from '#devnet/base/json-rpc/params/parse-bytes'
import { parseList, parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { parseBlockOverrides } from '../calls/block-overrides.ts'
import { parseCallObject } from '../calls/call-object.ts'
import { parseStateOverrides } from '../calls/parse-state-overrides.ts'
import { MAX_BLOCKS } from './plan-blocks.ts'
import type { SimulationEntry } from './simulation.ts'

export interface SimulationPayload {
  entries: SimulationEntry[]
  traceTransfers: boolean
  validation: boolean
  returnFullTransactions: boolean
}

const MAX_CALLS = 5_000

/**
 * The payload of eth_simulateV1 (RPC-SIM-06…21).
 * @throws JsonRpcError -32602; -38026 for more than 256 blocks; -32000 for clashing overrides
 */
export function parseSimulation(value: unknown): SimulationPayload {
  const payload = parseRecord(value, 'simulationPayload')
  const { blockStateCalls, traceTransfers, validation, returnFullTransactions } = payload
  if (blockStateCalls === undefined || blockStateCalls === null) {
    throw invalidParams('blockStateCalls: missing')
  }
  const entries = parseList(blockStateCalls, 'blockStateCalls', Number.POSITIVE_INFINITY)
  if (entries.length === 0) throw invalidParams('blockStateCalls: is empty')
  if (entries.length > MAX_BLOCKS) throw new JsonRpcError(-38026, 'too many blocks')
  return {
    entries: entries.map((entry, index) => parseEntry(entry, `blockStateCalls[${index}]`)),
    traceTransfers: parseFlag(traceTransfers, 'traceTransfers'),
    validation: parseFlag(validation, 'validation'),
    returnFullTransactions: parseFlag(returnFullTransactions, 'returnFullTransactions'),
  }
}

function parseEntry(value: unknown, name: string): SimulationEntry {
  const entry = parseRecord(value, name)
  return {
    calls: parseList(entry.calls ?? [], `${name}.calls`, MAX_CALLS).map((call, index) =>
      parseCallObject(call, `${name}.calls[${index}]`, parsePooledBytes),
    ),
    stateOverrides: parseStateOverrides(entry.stateOverrides, `${name}.stateOverrides`, -32000),
    blockOverrides: parseBlockOverrides(entry.blockOverrides, `${name}.blockOverrides`),
  }
}
