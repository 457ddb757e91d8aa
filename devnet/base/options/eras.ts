import type { UpgradeOptions } from './upgrade-options.ts'

/** Chains of before Denim, of the day it came, and of since. */
export const ERAS = ['before', 'across', 'after'] as const
export type Era = (typeof ERAS)[number]

/** @param wait seconds from the chain's start to Denim */
export function upgradesOf(era: Era, wait: number): UpgradeOptions {
  const denim = { before: 'never', across: `+${wait}s`, after: 'genesis' } as const
  return { azul: 'genesis', denim: denim[era] }
}
