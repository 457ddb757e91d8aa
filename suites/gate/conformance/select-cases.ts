import { matchesGlob } from 'node:path'
import { CASES } from './cases.ts'
import type { ConformanceCase } from './conformance-case.ts'

/**
 * Whether an id fits a pattern: the id itself, a comma list, or globs such as `rpc.getlogs.*`.
 *
 * @example
 * import { matchesId } from 'rollbed/conform'
 *
 * console.log(matchesId('rpc.block.hash.01', 'rpc.call.*, rpc.block.*')) // true
 */
export function matchesId(id: string, pattern: string): boolean {
  return pattern
    .split(',')
    .map((part) => part.trim())
    .some((part) => part === id || matchesGlob(id, part))
}

/**
 * All cases, or those whose id, area or one of whose rule ids fits the pattern.
 *
 * @param pattern as `matchesId` takes it
 * @returns in the order of the registry; none where nothing fits
 * @example
 * import { selectCases } from 'rollbed/conform'
 *
 * console.log(selectCases('storage, JRN-15').map(({ id }) => id))
 */
export function selectCases(pattern?: string): readonly ConformanceCase[] {
  if (!pattern) return CASES
  return CASES.filter(
    (test) =>
      matchesId(test.id, pattern) ||
      matchesId(test.area, pattern) ||
      test.rules.some((rule) => matchesId(rule, pattern)),
  )
}
