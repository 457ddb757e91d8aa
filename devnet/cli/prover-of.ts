import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { UsageError } from './usage-error.ts'

/**
 * The prover host of a described devnet.
 * @throws UsageError when it has none
 */
export function proverOf({ proverUrl }: Pick<DevnetDescription, 'proverUrl'>): string {
  if (proverUrl) return proverUrl
  throw new UsageError(
    'This devnet has no prover: it was started with --enclaves none, or goes on from another chain.',
    "Start one with an enclave, as 'rollbed up' does unless told, or name a prover host by --prover.",
  )
}
