import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { configHash } from '../derivation/config-hash.ts'
import { decodeL1Header } from '../derivation/l1-header.ts'
import type { RollupConfig } from '../derivation/rollup-config.ts'
import { journalScheduleId } from '../derivation/schedule-id.ts'
import type { PreimageOracle } from '../oracle/preimage-oracle.ts'
import { blockMs } from '../upgrades/block-times.ts'
import { untilNewest } from '../upgrades/schedule.ts'
import { loadAgreedHead } from './agreed-head.ts'
import { type Boot, loadBoot, loadScheduleBlock } from './boot.ts'
import {
  ClaimUnreachable,
  InvalidClaim,
  L1HeadInvalid,
  TraceExtension,
  UnsupportedChain,
} from './claim.ts'
import { executeRange } from './execute-range.ts'
import type { ExecutedBlock, ProgramResult } from './types.ts'

/** The chains a program knows, by chain id. In an enclave part of what is measured (PIPE-15). */
export type Chains = ReadonlyMap<bigint, RollupConfig>

export interface ProgramOptions {
  chains: Chains
  /** Called after each block. */
  onBlock?: ((block: ExecutedBlock) => void) | undefined
  /** Ends the program between two blocks. */
  signal?: AbortSignal | undefined
}

/**
 * The proof program: derives the blocks after the agreed one from L1, executes them, and compares
 * the last output root with the claim. Host and enclave run this same function; it sees the world
 * through the oracle only, keeps nothing, and returns only when the claim holds (PIPE-16..18).
 *
 * @throws UnsupportedChain before anything is executed; TraceExtension, L1HeadInvalid,
 * AgreedRootInvalid, ClaimUnreachable, InvalidClaim, PreimageMissing
 * @example
 * const { blocks } = await runProgram(verifiedOracle(preimages), { chains })
 */
export async function runProgram(
  oracle: PreimageOracle,
  options: ProgramOptions,
): Promise<ProgramResult> {
  const boot = await loadBoot(oracle)
  const known = options.chains.get(boot.chainId)
  if (!known) throw new UnsupportedChain(boot.chainId)
  if (boot.agreedOutputRoot === boot.claimedOutputRoot) throw new TraceExtension()
  const l1HeadNumber = await readL1HeadNumber(oracle, boot)

  const scheduleBlock = known.journal && (await loadScheduleBlock(oracle, boot))
  const config = scheduledBy(known, scheduleBlock)
  const agreed = await loadAgreedHead(oracle, boot.agreedOutputRoot, config)
  const { onBlock, signal } = options
  const { l1Head, claimedBlockNumber: lastBlock } = boot
  const blocks = await executeRange(oracle, { config, agreed, l1Head, lastBlock, onBlock, signal })

  // Deployed enclaves compare the root alone. A block that was not reached is no claim we can hold.
  const last = blocks.at(-1)
  if (last?.number !== lastBlock)
    throw new ClaimUnreachable(last?.number ?? agreed.header.number, lastBlock)
  if (last.outputRoot !== boot.claimedOutputRoot)
    throw new InvalidClaim(last.outputRoot, boot.claimedOutputRoot)

  return {
    ...boot,
    l1HeadNumber,
    configHash: configHash(config),
    agreedBlockNumber: agreed.header.number,
    ...(scheduleBlock !== undefined && { scheduleId: journalScheduleId(known, scheduleBlock) }),
    blocks,
  }
}

/**
 * The chain without the upgrades that the journal will not name: whoever has the schedule read too early gets
 * no signature below blocks that these upgrades made.
 * Source: base/base, schedule_id.rs.
 */
function scheduledBy(config: RollupConfig, scheduleBlock: bigint | undefined): RollupConfig {
  const { journal, upgrades } = config
  if (journal !== 'activated-schedule' || !upgrades || scheduleBlock === undefined) return config
  return { ...config, upgrades: untilNewest(upgrades, blockMs(config, scheduleBlock)) }
}

/** It goes into every proposal unsigned: from the header, and a caller that says another is refused. */
async function readL1HeadNumber(
  oracle: PreimageOracle,
  { l1Head, l1HeadNumber }: Boot,
): Promise<bigint> {
  const hint = { type: 'l1-block-header', data: hexToBytes(l1Head) } as const
  const { number } = decodeL1Header(l1Head, await oracle.keccak(l1Head, hint))
  if (l1HeadNumber !== undefined && l1HeadNumber !== number)
    throw new L1HeadInvalid(l1Head, number, l1HeadNumber)
  return number
}
