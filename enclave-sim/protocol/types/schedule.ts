/** An upgrade of Base that a chain can have or not: a row of the table in `protocol/upgrades`. */
export type Upgrade = 'azul' | 'denim'

/** When an upgrade holds: from the genesis block on, not at all, or from a time on (Unix, seconds). */
export type Activation = 'genesis' | 'never' | number

/** Which upgrades a chain has, and from when on. One that is not named never comes. */
export type Schedule = Readonly<Partial<Record<Upgrade, Activation>>>
