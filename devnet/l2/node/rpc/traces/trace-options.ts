import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { quote } from '#devnet/base/json-rpc/params/hex-digits'
import { parseFlag } from '#devnet/base/json-rpc/params/parse-boolean'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'

/** How to trace, as plain data. Names and defaults are go-ethereum's (eth/tracers). */
export type TraceOptions =
  | { tracer: 'structLogger'; timeout: number; config: StructLoggerConfig }
  | { tracer: 'callTracer'; timeout: number; config: CallTracerConfig }
  | { tracer: 'flatCallTracer'; timeout: number; config: FlatCallTracerConfig }
  | { tracer: 'erc7562Tracer'; timeout: number; config: Erc7562TracerConfig }
  | { tracer: 'prestateTracer'; timeout: number; config: PrestateTracerConfig }
  | { tracer: '4byteTracer' | 'noopTracer'; timeout: number }

export interface StructLoggerConfig {
  enableMemory: boolean
  disableStack: boolean
  disableStorage: boolean
  enableReturnData: boolean
  /** The most steps told of; 0: as many as fit. */
  limit: number
}

export interface CallTracerConfig {
  onlyTopCall: boolean
  withLog: boolean
}

export interface FlatCallTracerConfig {
  /** Also calls of precompiles that are sent nothing. */
  includePrecompiles: boolean
}

export interface Erc7562TracerConfig {
  /** Not counted in `usedOpcodes`. */
  ignoredOpcodes: number[]
  withLog: boolean
}

export interface PrestateTracerConfig {
  diffMode: boolean
  disableCode: boolean
  disableStorage: boolean
  includeEmpty: boolean
}

const BUILT_IN =
  'Tracers here: callTracer, flatCallTracer, prestateTracer, erc7562Tracer, 4byteTracer, noopTracer, or none at all.'
/** PUSH, DUP and SWAP stand between them; then POP, arithmetic, comparisons and shifts. */
const HARMLESS_OPCODES = [
  ...Array.from({ length: 0x9f - 0x5f + 1 }, (_, index) => 0x5f + index),
  ...[0x50, 0x01, 0x03, 0x02, 0x04, 0x14, 0x10, 0x11],
  ...[0x12, 0x13, 0x1b, 0x1c, 0x16, 0x17, 0x19, 0x15],
]
const DEFAULT_TIMEOUT = 5_000
const MAX_TIMEOUT = 60_000
const MILLISECONDS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000 }

/**
 * The last parameter of the `debug_trace*` methods. Members it does not know are ignored.
 * @throws JsonRpcError -32602, -32000 for a tracer that is not there
 */
export function parseTraceOptions(value: unknown): TraceOptions {
  const options = value === undefined || value === null ? {} : parseRecord(value, 'options')
  const timeout = parseTimeout(options.timeout)
  const { tracer } = options
  if (tracer === undefined || tracer === null || tracer === '') {
    return { tracer: 'structLogger', timeout, config: structLoggerConfig(options) }
  }
  if (typeof tracer !== 'string') throw invalidParams('options.tracer: must be a string')
  const config = parseRecord(options.tracerConfig ?? {}, 'options.tracerConfig')
  switch (tracer) {
    case 'callTracer':
      return { tracer, timeout, config: callTracerConfig(config) }
    case 'prestateTracer':
      return { tracer, timeout, config: prestateTracerConfig(config) }
    case 'flatCallTracer': {
      const { includePrecompiles } = config
      const flag = parseFlag(includePrecompiles, 'options.tracerConfig.includePrecompiles')
      return { tracer, timeout, config: { includePrecompiles: flag } }
    }
    case 'erc7562Tracer':
      return { tracer, timeout, config: erc7562TracerConfig(config) }
    case '4byteTracer':
    case 'noopTracer':
      return { tracer, timeout }
  }
  if (/[{;]/.test(tracer)) {
    throw new JsonRpcError(-32000, 'JavaScript tracers are not run here', BUILT_IN)
  }
  throw new JsonRpcError(-32000, `tracer not found: ${quote(tracer)}`, BUILT_IN)
}

function structLoggerConfig(options: Readonly<Record<string, unknown>>): StructLoggerConfig {
  const { limit = 0 } = options
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 0) {
    throw invalidParams('options.limit: must be a whole number, 0 or more')
  }
  const flag = (name: string) => parseFlag(options[name], `options.${name}`)
  return {
    // The name of before Berlin turned the same thing off.
    enableMemory: flag('enableMemory') || options.disableMemory === false,
    disableStack: flag('disableStack'),
    disableStorage: flag('disableStorage'),
    enableReturnData: flag('enableReturnData') || options.disableReturnData === false,
    limit,
  }
}

function callTracerConfig(config: Readonly<Record<string, unknown>>): CallTracerConfig {
  const flag = (name: string) => parseFlag(config[name], `options.tracerConfig.${name}`)
  return { onlyTopCall: flag('onlyTopCall'), withLog: flag('withLog') }
}

function erc7562TracerConfig(config: Readonly<Record<string, unknown>>): Erc7562TracerConfig {
  const { ignoredOpcodes: given } = config
  const name = 'options.tracerConfig.ignoredOpcodes'
  const isAbsent = given === undefined || given === null
  if (!isAbsent && !Array.isArray(given)) throw invalidParams(`${name}: must be an array`)
  return {
    ignoredOpcodes: isAbsent
      ? HARMLESS_OPCODES
      : given.map((opcode, at) => Number(parseQuantity(opcode, `${name}[${at}]`, 8))),
    withLog: parseFlag(config.withLog, 'options.tracerConfig.withLog'),
  }
}

function prestateTracerConfig(config: Readonly<Record<string, unknown>>): PrestateTracerConfig {
  const flag = (name: string) => parseFlag(config[name], `options.tracerConfig.${name}`)
  const [diffMode, includeEmpty] = [flag('diffMode'), flag('includeEmpty')]
  if (diffMode && includeEmpty) {
    throw invalidParams('options.tracerConfig: cannot use diffMode with includeEmpty')
  }
  const disableCode = flag('disableCode')
  return { diffMode, includeEmpty, disableCode, disableStorage: flag('disableStorage') }
}

/** A duration as Go writes it, such as `5s` or `1m30s`; milliseconds. */
function parseTimeout(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_TIMEOUT
  const parts = typeof value === 'string' ? [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m)/gy)] : []
  const length = parts.reduce((sum, [text]) => sum + text.length, 0)
  if (length === 0 || length !== (value as string).length) {
    throw invalidParams('options.timeout: must be a duration such as "5s" or "1m30s"')
  }
  const total = parts.reduce((sum, part) => sum + Number(part[1]) * MILLISECONDS[part[2]!]!, 0)
  return Math.min(total, MAX_TIMEOUT)
}
