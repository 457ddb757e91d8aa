import { RollbedError } from '#protocol/errors/rollbed-error'
import type { EnclaveKind } from './devnet-description.ts'

/** How many simulated enclaves; or one of a kind; or each of them by its kind. */
export type EnclaveChoice = number | EnclaveKind | readonly EnclaveKind[]

/**
 * The enclaves of a devnet, one entry each.
 * @throws EnclavesUnfit for local mode beside a measured image
 * @example enclaveKinds(2) // ['sim', 'sim']
 */
export function enclaveKinds(choice: EnclaveChoice): readonly EnclaveKind[] {
  if (typeof choice === 'number') return Array.from({ length: choice }, () => 'sim')
  const kinds = typeof choice === 'string' ? [choice] : choice
  if (kinds.includes('local') && kinds.some((kind) => kind !== 'local')) throw new EnclavesUnfit()
  return kinds
}

export class EnclavesUnfit extends RollbedError {
  constructor() {
    super('ENCLAVES_UNFIT', 'Enclaves in local mode cannot stand beside measured ones.', {
      hint: 'Games accept one image hash, and that of local mode is zero: start one devnet for each.',
    })
  }
}
