import { RollbedError } from '#protocol/errors/rollbed-error'
import type { JournalEra } from '#protocol/types/journal-era'
import type { Activation, Schedule, Upgrade } from '#protocol/types/schedule'
import { type BlockTimes, blockMs } from '#protocol/upgrades/block-times'
import {
  JOURNAL_ERA_NAMES,
  NOT_BUILT,
  UPGRADES,
  USUAL_JOURNAL_ERA,
} from '#protocol/upgrades/upgrade-table'

/**
 * When an upgrade comes: with the genesis block, never, so many seconds after the start, with the nth
 * block after the first, or at a Unix time in seconds.
 */
export type UpgradeTime = 'genesis' | 'never' | `+${number}s` | `block ${number}` | number

/** Which upgrades of Base a devnet has, and from when on. One that is not named never comes. */
export type UpgradeOptions = Readonly<Partial<Record<Upgrade, UpgradeTime>>>

/**
 * Upgrades that have a name together. `today`: Base as it is since Denim, from genesis on. `crossing`: its
 * day, 20 blocks after the start.
 */
export const CHAINS = {
  today: { azul: 'genesis', denim: 'genesis' },
  crossing: { azul: 'genesis', denim: 'block 20' },
} as const satisfies Record<string, UpgradeOptions>

/** `today` or `crossing`. */
export type ChainName = keyof typeof CHAINS

const NAMES = Object.keys(UPGRADES) as Upgrade[]
const MISSING = `Not built: ${NOT_BUILT.map(({ part, upgrade }) => `${part} of ${upgrade}`).join('; ')}.`
const WAYS = 'genesis, never, +30s, block 20, or a Unix time in seconds'

/**
 * @param text as `azul=genesis,denim=+30s`
 * @throws RollbedError UPGRADES_INVALID
 */
export function parseUpgrades(text: string): UpgradeOptions {
  const pairs = text.split(',').map((part) => {
    const [, name = '', time = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(part) ?? []
    if (!name)
      throw invalid(`'${part}' is no upgrade and its time.`, 'Write azul=genesis,denim=+30s.')
    return [name, /^\d+$/.test(time) ? Number(time) : time] as const
  })
  return checkedUpgrades(Object.fromEntries(pairs))
}

/** @throws RollbedError UPGRADES_INVALID */
export function checkedUpgrades(options: object): UpgradeOptions {
  for (const [name, time] of Object.entries(options)) {
    if (!NAMES.includes(name as Upgrade)) {
      throw invalid(
        `There is no upgrade '${name}' here.`,
        `There are ${NAMES.join(' and ')}. ${MISSING}`,
      )
    }
    const isTime =
      time === undefined ||
      (typeof time === 'number'
        ? Number.isSafeInteger(time) && time >= 0
        : /^(genesis|never|\+\d{1,10}s|block \d{1,10})$/.test(String(time)))
    if (!isTime) throw invalid(`${name} cannot come at '${time}'.`, `Say ${WAYS}.`)
  }
  return options
}

/**
 * What journals of a chain say of its schedule; undefined where it has none to name.
 * @throws RollbedError UPGRADES_INVALID
 */
export function journalEraOf(
  upgrades: UpgradeOptions,
  wanted: JournalEra | undefined,
): JournalEra | undefined {
  if (wanted !== undefined && !JOURNAL_ERA_NAMES.includes(wanted)) {
    throw invalid(
      `There is no era of journals '${wanted}'.`,
      `There are ${JOURNAL_ERA_NAMES.join(' and ')}.`,
    )
  }
  const hasUpgrades = NAMES.some((name) => (upgrades[name] ?? 'never') !== 'never')
  if (hasUpgrades) return wanted ?? USUAL_JOURNAL_ERA
  if (wanted === undefined) return undefined
  throw invalid(
    'Journals name a schedule of upgrades, and this chain has none.',
    'Start it with upgrades too, as --chain today, or leave the era of journals out.',
  )
}

/**
 * The schedule of a chain that begins now. An upgrade that came before is there from genesis.
 * @throws RollbedError UPGRADES_INVALID where a block is named that does not begin a second
 */
export function scheduleOf(
  options: UpgradeOptions,
  { genesis, blockTime }: Omit<BlockTimes, 'upgrades'>,
): Schedule | undefined {
  const wanted = NAMES.filter((name) => (options[name] ?? 'never') !== 'never')
  if (wanted.length === 0) return undefined
  const times = { genesis, blockTime }
  // By Denim the seconds of later blocks follow.
  const denim = options.denim && at(options.denim, times)
  const upgrades: Schedule = denim === undefined ? {} : { denim }
  return Object.fromEntries(
    wanted.map((name) => [name, at(options[name]!, { ...times, upgrades })]),
  )
}

function at(time: UpgradeTime, times: BlockTimes): Activation {
  const { l2Time, l2 } = times.genesis
  if (time === 'genesis' || time === 'never') return time
  if (typeof time === 'number') return time <= l2Time ? 'genesis' : time
  const count = Number(/\d+/.exec(time))
  if (count === 0) return 'genesis'
  if (time.startsWith('+')) return l2Time + count
  const ms = blockMs(times, BigInt(l2.number + count))
  if (ms % 1000n === 0n) return Number(ms / 1000n)
  throw invalid(
    `Block ${count} is in the middle of a second, and an upgrade comes on a whole one.`,
    'Name a block whose time is a whole second, or a number of seconds.',
  )
}

function invalid(message: string, hint: string): RollbedError {
  return new RollbedError('UPGRADES_INVALID', message, { hint })
}
