import type { Checker, Found } from './checker.ts'
import { faultTimes } from './fault-times.ts'

/** Who keeps what on which disk. */
const DISKS: Readonly<Record<string, string>> = { node: 'disk:state', api: 'disk:api' }
/** What no crash leaves, be it that power was lost. */
const DAMAGES = ['flipped', 'misdirected', 'lost_write']
/** L1 was away just then: that says nothing of a disk. */
const NO_L1 = 'RPC_UNREACHABLE'

export const damageIsNamed: Checker = {
  name: 'damage-is-named',
  says: 'What a disk damaged is refused by name until it is put back, and what a crash or a loss of power left is taken.',
  safety(events) {
    const faults = faultTimes(events).filter(({ fault }) => DAMAGES.includes(fault))
    return events.flatMap(({ t, who, what, data }): Found[] => {
      const disk = what === 'start.failed' && data.code !== NO_L1 && DISKS[who]
      if (!disk) return []
      const isDamaged = faults.some(
        ({ target, from, to }) => target === disk && from <= t && t <= to,
      )
      if (!isDamaged)
        return [{ t, problem: `${who} refuses to start on what a crash left: ${data.why}` }]
      if (/^STATE_/.test(String(data.code)) && String(data.why).includes('.sqlite')) return []
      return [{ t, problem: `${who} does not say that its disk is damaged: ${data.why}` }]
    })
  },
}
