import type { Rng } from '#protocol/random/rng'
import { findLosses } from './find-losses.ts'
import { type KilledDevnet, type Seen, startKilledDevnet } from './killed-devnet.ts'

/** Blocks looked at after each kill; after the last all. */
const NEWEST = 50

export interface KillsReport {
  kills: number
  /** Sealed blocks that users saw, and transactions in them. */
  blocks: number
  transactions: number
  codes: number
  losses: string[]
}

export interface PlayKillsOptions {
  folder: string
  kills: number
  rng: Rng
  /** When to kill: resolves at some moment. */
  moment(devnet: KilledDevnet, rng: Rng): Promise<void>
  flags?: readonly string[]
  onKill?(report: KillsReport): void
}

/** Kills a devnet under load again and again; each new one has to have all that users saw, and to go on. */
export async function playKills(options: PlayKillsOptions): Promise<KillsReport> {
  const { folder, kills, rng, moment, flags, onKill } = options
  const seen: Seen = { l2: new Map(), l1: new Map(), transactions: new Map(), codes: new Map() }
  const losses: string[] = []
  const reportOf = (count: number): KillsReport => ({
    ...{ kills: count, blocks: seen.l2.size, transactions: seen.transactions.size },
    ...{ codes: seen.codes.size, losses },
  })
  for (let count = 0; count < kills; count++) {
    const devnet = await startKilledDevnet(folder, seen, rng, flags)
    if (count > 0) losses.push(...(await findLosses(devnet, seen, NEWEST)))
    await devnet.putUnderLoad()
    await moment(devnet, rng)
    await devnet.kill()
    onKill?.(reportOf(count + 1))
  }
  const devnet = await startKilledDevnet(folder, seen, rng, flags)
  losses.push(...(await findLosses(devnet, seen)))
  const before = await finalizedOf(devnet)
  while ((await finalizedOf(devnet)) <= before) await devnet.after(1, 0)
  await devnet.stop()
  return reportOf(kills)
}

async function finalizedOf({ l2 }: KilledDevnet): Promise<number> {
  const block = await l2.request('eth_getBlockByNumber', ['finalized', false])
  return Number((block as { number: string }).number)
}
