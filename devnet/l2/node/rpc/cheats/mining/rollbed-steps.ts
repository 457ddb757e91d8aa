import { blockJson } from '../../json/block-json.ts'
import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `rollbed_flashblock []`: executes what the pool holds, up to the next flashblock's share of the
 * block, and publishes it → the pending block. What `--manual` leaves to you.
 */
export const rollbedFlashblock: CheatMethod = async ({ cheats, profile }) =>
  blockJson(await cheats.flashblock(), false, profile)

/** `rollbed_seal []`: seals what is pre-confirmed, and nothing else → the block. */
export const rollbedSeal: CheatMethod = async ({ cheats, profile }) =>
  blockJson(await cheats.seal(), false, profile)
