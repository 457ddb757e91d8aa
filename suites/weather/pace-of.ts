import type { World } from '#devnet/rollup/world/world'

/** How much longer all takes in a world than with blocks of two seconds; 1 at least. */
export const paceOf = ({ rollupConfig }: World): number => Math.max(1, rollupConfig.blockTime / 2)
