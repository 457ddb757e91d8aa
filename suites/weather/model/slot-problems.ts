import { baseTimeHash } from './base-time-hash.ts'
import { blockDue, firstFast } from './block-due.ts'
import type { ChainKnown, L2BlockSeen } from './events-of.ts'
import { BASE_TIME } from './predeploys.ts'

/**
 * What is wrong with the time of a block by its number alone: its seconds, its milliseconds, and the deposit
 * that tells BaseTime of them.
 * @returns one sentence each
 */
export function slotProblems(block: L2BlockSeen, known: ChainKnown): string[] {
  const { number, time, timestampMs, transactions } = block
  const due = blockDue(known, number)
  const isFast = number >= firstFast(known)
  const problems: string[] = []
  const name = `Block ${number}`
  const seconds = Math.floor(due / 1_000)
  if (time !== seconds) problems.push(`${name} is of second ${time}, and is due in ${seconds}.`)
  // The first block of all has no transactions, and so nobody told it.
  if (number === 0) return problems
  const is = timestampMs && Number(timestampMs)
  const right = isFast ? due : undefined
  if (is !== right) {
    problems.push(`${name} is told as of ${is ?? 'no'} ms, not of ${right ?? 'no'} ms.`)
  }
  const wanted = isFast ? baseTimeHash(number, due % 1_000) : undefined
  if (wanted && transactions[1]?.hash !== wanted) {
    problems.push(`${name} does not tell BaseTime ${due % 1_000} ms in its second transaction.`)
  }
  // Users send it nothing.
  const others = transactions.filter(
    ({ to, hash }) => to?.toLowerCase() === BASE_TIME && hash !== wanted,
  )
  return [
    ...problems,
    ...others.map(({ hash }) => `${name} tells BaseTime another time by ${hash}.`),
  ]
}
