import { readFileSync } from 'node:fs'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** A devnet with one enclave takes about 90 by itself; every connection takes one more. */
const NEEDED = 128

/**
 * Looks before a devnet starts whether it may open as many files as it must: at the limit each part
 * fails in words of its own, and libraries in none.
 *
 * @param limits as in /proc/self/limits, proc(5); elsewhere nothing is known
 * @throws MACHINE_LIMIT
 */
export function checkOpenFiles(limits = ownLimits()): void {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  if (!soft || Number(soft) >= NEEDED) return
  throw new RollbedError(
    'MACHINE_LIMIT',
    `Of open files this process may have ${soft}, and a devnet needs ${NEEDED}.`,
    { hint: 'Allow more open files, such as with `ulimit -n 4096`.' },
  )
}

function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
