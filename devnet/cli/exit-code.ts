import type { ErrorCode } from '#protocol/errors/error-table'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** Exit codes of every command. Scripts depend on them: never change one. */
export const ExitCode = {
  ok: 0,
  /** A rule or check failed. */
  failed: 1,
  usage: 2,
  /** A missing binary, a busy port, an unreachable URL. */
  environment: 3,
  /** An expectations file lists failures that no longer happen, or has expired entries. */
  staleExpectations: 4,
  /** A signal ended a run before its end: 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
} as const

const environmental: ReadonlySet<string> = new Set<ErrorCode>([
  'MACHINE_LIMIT',
  'PART_LOST',
  'ANVIL_MISSING',
  'ANVIL_NOT_GENUINE',
  'ANVIL_FAILED',
  'PORT_BUSY',
  'LISTEN_FAILED',
  'RPC_UNREACHABLE',
  'TARGET_UNREACHABLE',
  'DEVNET_UNREACHABLE',
  'NO_DEVNET',
  'MCP_SDK_MISSING',
  'ENCLAVE_START_FAILED',
  'ISOLATION_UNAVAILABLE',
  'ISOLATION_BROKEN',
  'VM_UNAVAILABLE',
  'STATE_IN_USE',
  'STATE_UNREADABLE',
  'STATE_DAMAGED',
  'L1_NOT_REBUILT',
  'FORK_REMOTE_UNREACHABLE',
  'FORK_REMOTE_REFUSED',
  'FORK_CACHE_UNUSABLE',
  'FORK_CACHE_FULL',
])

const usage: ReadonlySet<string> = new Set<ErrorCode>([
  'ARTIFACTS_MISSING',
  'UPGRADES_INVALID',
  'ENCLAVES_UNFIT',
  'L1_NEEDED',
  'SIMULATED_ROOT_REFUSED',
  'PROOF_RESULT_INVALID',
  'CALLDATA_INVALID',
  'USAGE',
  'FAULT_PLAN_INVALID',
  'FAULTS_OFF',
  'FORK_BLOCK_MISSING',
  'FORK_BLOCK_IN_FUTURE',
  'FORK_NOT_PROVABLE',
  'FORK_CONFLICT',
  'NO_SUCH_CASE',
  'CLAIM_NOT_JUDGED',
  'NO_SUCH_VERSION',
  'BAD_EXPECTATIONS',
  'BAD_DRIVER',
  'RANGE_INVALID',
  'STATE_BEGUN_OTHERWISE',
  'STATE_OF_OTHER_IMAGE',
])

/** The exit code that an error asks for: usage, environment, or a plain failure. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof RollbedError)) return ExitCode.failed
  if (error.code === 'INTERRUPTED') return ExitCode.interrupted
  if (usage.has(error.code)) return ExitCode.usage
  return environmental.has(error.code) ? ExitCode.environment : ExitCode.failed
}
