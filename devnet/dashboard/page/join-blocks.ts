import type { BlockJson } from './json-types.ts'

/**
 * Blocks that were sealed while others were loaded, and these below them; newest first, as both are. Null is
 * a number that was taken out of the chain while it was asked for, and a seal takes the place of all from its
 * number on.
 */
export function joinBlocks(
  sealed: readonly BlockJson[],
  loaded: readonly (BlockJson | null)[],
): BlockJson[] {
  const oldest = Math.min(...sealed.map(({ number }) => Number(number)))
  const below = loaded.filter((block) => block !== null && Number(block.number) < oldest)
  return [...sealed, ...(below as BlockJson[])]
}
