import { concatBytes } from '@ethereumjs/util'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { recoverAuthority } from '../transaction/authorization.ts'
import type { Address } from '../types/bytes.ts'
import type { Authorization } from '../types/transaction.ts'
import type { Machine } from './machine.ts'
import { isEmpty } from './world-state.ts'

const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00)
const NO_DELEGATE = '0x0000000000000000000000000000000000000000'
const MAX_NONCE = 2n ** 64n - 1n
/** EIP-7702: PER_EMPTY_ACCOUNT_COST - PER_AUTH_BASE_COST. */
const EXISTING_AUTHORITY_REFUND = 12_500n

/** What authorizations come to. */
export interface Authorized {
  /** Gas. */
  refund: bigint
  /** Whom they make warm. */
  authorities: Address[]
}

/** Applies the authorizations that are valid, skips the others (EIP-7702). */
export async function applyAuthorizations(
  machine: Machine,
  authorizations: readonly Authorization[],
): Promise<Authorized> {
  const { world, config } = machine
  const authorities: Address[] = []
  let refund = 0n
  for (const authorization of authorizations) {
    const { chainId, nonce, address: delegate } = authorization
    if ((chainId !== 0n && chainId !== config.chainId) || nonce >= MAX_NONCE) continue
    const authority = recoverAuthority(authorization)
    if (authority === undefined) continue
    authorities.push(authority)
    const entry = await world.entry(authority)
    const code = await world.code(entry)
    if ((code.length > 0 && !isDelegation(code)) || entry.nonce !== nonce) continue
    if (entry.exists && !isEmpty(entry)) refund += EXISTING_AUTHORITY_REFUND
    const designator = concatBytes(DELEGATION_PREFIX, hexToBytes(delegate))
    world.setCode(entry, delegate === NO_DELEGATE ? new Uint8Array(0) : designator)
    world.update(entry, { nonce: nonce + 1n })
  }
  return { refund, authorities }
}

/** Whether code is a delegation designator. */
export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && DELEGATION_PREFIX.every((byte, index) => code[index] === byte)
}
