import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import { LocalKey, PreimageMissing, type PreimageOracle } from '../oracle/preimage-oracle.ts'
import type { Address, Hash } from '../types/bytes.ts'

/** What a proof is asked to show. Nothing here is verified: the host may say what it likes. */
export interface Boot {
  l1Head: Hash
  /** undefined: the host says none. */
  l1HeadNumber: bigint | undefined
  agreedOutputRoot: Hash
  claimedOutputRoot: Hash
  claimedBlockNumber: bigint
  chainId: bigint
  proposer: Address
  intermediateBlockInterval: bigint
}

/**
 * Reads the boot values (PIPE-09..14). Proposer and interval may be absent and are zero then, and so
 * may the L1 head number. A rollup config that a host sends along is never read (PIPE-15).
 * @throws PreimageMissing, BootValueMalformed
 */
export async function loadBoot(oracle: PreimageOracle): Promise<Boot> {
  const { read, readOptional } = bootReader(oracle)
  const l1HeadNumber = await readOptional('l1HeadNumber', 8)

  return {
    l1Head: bytesToHex(await read('l1Head', 32)),
    agreedOutputRoot: bytesToHex(await read('agreedOutputRoot', 32)),
    claimedOutputRoot: bytesToHex(await read('claimedOutputRoot', 32)),
    claimedBlockNumber: bytesToBigInt(await read('claimedL2Block', 8)),
    chainId: bytesToBigInt(await read('chainId', 8)),
    proposer: bytesToHex((await readOptional('proposer', 20)) ?? new Uint8Array(20)),
    intermediateBlockInterval: bytesToBigInt(
      (await readOptional('intermediateBlockInterval', 8)) ?? new Uint8Array(8),
    ),
    l1HeadNumber: l1HeadNumber && bytesToBigInt(l1HeadNumber),
  }
}

/**
 * The block by whose time the schedule of upgrades is read: the claimed one, where the host says none. Asked
 * for on chains alone whose journals name a schedule.
 * @throws BootValueMalformed
 */
export async function loadScheduleBlock(
  oracle: PreimageOracle,
  { claimedBlockNumber }: Boot,
): Promise<bigint> {
  const value = await bootReader(oracle).readOptional('scheduleL2Block', 8)
  return value ? bytesToBigInt(value) : claimedBlockNumber
}

function bootReader(oracle: PreimageOracle) {
  const read = async (name: keyof typeof LocalKey, length: number) => {
    const value = await oracle.local(LocalKey[name])
    if (value.length !== length) throw new BootValueMalformed(name, length, value.length)
    return value
  }
  const readOptional = (name: keyof typeof LocalKey, length: number) =>
    read(name, length).catch((error: unknown) => {
      if (error instanceof PreimageMissing) return undefined
      throw error
    })
  return { read, readOptional }
}

export class BootValueMalformed extends RollbedError {
  constructor(name: string, want: number, have: number) {
    super('BOOT_VALUE_MALFORMED', `Boot value ${name} has ${have} bytes and not ${want}.`)
  }
}
