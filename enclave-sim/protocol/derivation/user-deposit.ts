import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { encodeDeposit } from '../transaction/encode-deposit.ts'
import type { Log } from '../types/block.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { abiBytes } from './abi-bytes.ts'
import { DerivationError } from './derivation-error.ts'
import type { L1Receipt } from './l1-source.ts'
import { DepositSource, sourceHash } from './source-hash.ts'

export const TRANSACTION_DEPOSITED: Hash = keccak256Hex(
  new TextEncoder().encode('TransactionDeposited(address,address,uint256,bytes)'),
)
/** mint u256, value u256, gas u64, isCreation u8. */
const OPAQUE_HEAD = 32 + 32 + 8 + 1

/**
 * The deposits that users made in one L1 block, in EIP-2718 form, in log order.
 * Source: OP specs, Deposits, "User-Deposited Transactions".
 * @throws DerivationError DEPOSIT_LOG_MALFORMED: a portal's log may never be skipped
 */
export function userDeposits(
  portal: Address,
  l1BlockHash: Hash,
  receipts: readonly L1Receipt[],
): Uint8Array[] {
  // The index counts every log of the block; a failed transaction has none.
  return receipts
    .flatMap((receipt) => receipt.logs)
    .map((log, index) => ({ log, index }))
    .filter(({ log }) => log.address === portal && log.topics[0] === TRANSACTION_DEPOSITED)
    .map(({ log, index }) => toDeposit(log, l1BlockHash, BigInt(index)))
}

function toDeposit(log: Log, l1BlockHash: Hash, logIndex: bigint): Uint8Array {
  const [, from, to, version] = log.topics
  const opaque = abiBytes(log.data)
  if (!from || !to || !version || BigInt(version) !== 0n) throw malformed(logIndex, 'its version')
  if (!opaque || opaque.length < OPAQUE_HEAD) throw malformed(logIndex, 'its data')
  return encodeDeposit({
    sourceHash: sourceHash(DepositSource.user, l1BlockHash, logIndex),
    from: addressOf(from),
    to: opaque[72] === 0 ? addressOf(to) : null,
    mint: bytesToBigInt(opaque.subarray(0, 32)),
    value: bytesToBigInt(opaque.subarray(32, 64)),
    gas: bytesToBigInt(opaque.subarray(64, 72)),
    isSystemTransaction: false,
    data: opaque.subarray(OPAQUE_HEAD),
  })
}

function addressOf(topic: Hash): Address {
  return `0x${topic.slice(26)}`
}

function malformed(logIndex: bigint, what: string): DerivationError {
  return new DerivationError(
    'DEPOSIT_LOG_MALFORMED',
    `Log ${logIndex} of the deposit contract cannot be read: ${what} is not of version 0.`,
    { hint: 'The contract on L1 does not follow the TransactionDeposited event of OP.' },
  )
}
