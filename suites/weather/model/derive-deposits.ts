import { type Hex, hexToBigInt, hexToNumber, type Log, slice } from 'viem'
import { extractTransactionDepositedLogs, getL2TransactionHash } from 'viem/op-stack'
import type { L1BlockSeen, L2BlockSeen, PortalLog } from './events-of.ts'
import { BASE_TIME, DEPOSITOR, L1_BLOCK } from './predeploys.ts'

/** What the first transaction of a block says of L1. */
export interface Origin {
  number: number
  hash: Hex
  /** Blocks of the same origin before this one. */
  sequence: number
}

/** OP specification, Deposits: the type of these transactions. */
export const DEPOSIT = '0x7e'

/** OP specification, Ecotone and later: packed after a selector of four bytes. */
export function originOf({ transactions }: L2BlockSeen): Origin | undefined {
  const [first] = transactions
  if (first?.type !== DEPOSIT || first.from.toLowerCase() !== DEPOSITOR) return undefined
  if (first.to?.toLowerCase() !== L1_BLOCK || first.input.length < 2 + 2 * 132) return undefined
  return {
    sequence: hexToNumber(slice(first.input, 12, 20)),
    number: hexToNumber(slice(first.input, 28, 36)),
    hash: slice(first.input, 100, 132),
  }
}

/**
 * What is wrong with the deposits of a block, by L1 alone: the first block of an origin has those of the
 * origin, in the order of its logs, and no other has any.
 *
 * @param l1 undefined where nobody saw this block of L1
 * @returns one sentence each
 */
export function depositProblems(
  block: L2BlockSeen,
  parent: L2BlockSeen | undefined,
  l1: L1BlockSeen | undefined,
): string[] {
  const name = `Block ${block.number}`
  const origin = originOf(block)
  if (!origin) return [`${name} does not begin with the attributes of L1.`]
  const found = block.transactions
    .slice(1)
    .filter(({ type, to }) => type === DEPOSIT && to?.toLowerCase() !== BASE_TIME)
  const sequence = sequenceProblems(name, origin, parent && originOf(parent))
  if (origin.sequence > 0) {
    const strange = found.map(({ hash }) => `${name} has deposit ${hash} inside an epoch.`)
    return [...sequence, ...strange]
  }
  if (!l1) return sequence
  const early = block.time < l1.time ? [`${name} is older than its origin.`] : []
  const wanted = l1.deposits.map(depositOf)
  const missing = wanted.filter(({ hash }) => !found.some((each) => each.hash === hash))
  const foreign = found.filter(({ hash }) => !wanted.some((each) => each.hash === hash))
  const inOrder = found.every(({ hash }, at) => wanted[at]?.hash === hash)
  const isShuffled = missing.length === 0 && foreign.length === 0 && !inOrder
  return [
    ...sequence,
    ...early,
    ...missing.map(({ hash }) => `${name} lacks deposit ${hash} of L1 block ${l1.number}.`),
    ...foreign.map(
      ({ hash }) => `${name} has deposit ${hash}, which L1 block ${l1.number} has not.`,
    ),
    ...(isShuffled ? [`${name} has the deposits of L1 block ${l1.number} in another order.`] : []),
    ...mintProblems(name, block, wanted),
  ]
}

function sequenceProblems(name: string, now: Origin, before: Origin | undefined): string[] {
  if (!before) return []
  const isSame = now.hash === before.hash && now.sequence === before.sequence + 1
  const isNext = now.number === before.number + 1 && now.sequence === 0
  if (isSame || isNext) return []
  return [
    `${name} has origin ${now.number} (${now.sequence}), after ${before.number} (${before.sequence}).`,
  ]
}

/** The hash commits to all of a deposit; what the block says of it must be the same. */
function mintProblems(
  name: string,
  { transactions }: L2BlockSeen,
  deposits: readonly Deposit[],
): string[] {
  const byHash = new Map(deposits.map((deposit) => [deposit.hash, deposit]))
  return transactions.flatMap(({ hash, mint, value }) => {
    const wanted = byHash.get(hash)
    if (!wanted || (BigInt(mint ?? 0) === wanted.mint && BigInt(value) === wanted.value)) return []
    return [`${name} mints ${BigInt(mint ?? 0)} for deposit ${hash}, and L1 says ${wanted.mint}.`]
  })
}

/** What a log of the portal must become on L2; wei. */
interface Deposit {
  hash: Hex
  mint: bigint
  value: bigint
}

/** opaqueData of version 0 begins with what is minted and what is sent. */
export function depositOf(portalLog: PortalLog): Deposit {
  const log = decoded(portalLog)
  const { opaqueData } = log.args
  return {
    hash: getL2TransactionHash({ log }),
    mint: hexToBigInt(slice(opaqueData, 0, 32)),
    value: hexToBigInt(slice(opaqueData, 32, 64)),
  }
}

function decoded(log: PortalLog) {
  const logs = [{ ...log, logIndex: Number(log.logIndex) }] as unknown as Log[]
  return extractTransactionDepositedLogs({ logs })[0]!
}
