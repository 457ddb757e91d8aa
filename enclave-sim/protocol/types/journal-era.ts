/**
 * What journals say of the schedule of upgrades: its id with all that is announced (Base in July 2026), or of
 * what holds when the last block comes (since August 2026). Before, and where a chain names none: nothing.
 */
export type JournalEra = 'whole-schedule' | 'activated-schedule'
