import type { Checker, Found, LoggedEvent } from './checker.ts'
import { enclaveGarblings, faultTimes } from './fault-times.ts'

const asked = (events: readonly LoggedEvent[]) =>
  new Map(events.filter(({ what }) => what === 'proof.asked').map((each) => [each.data.id, each]))

export const noFalseSignature: Checker = {
  name: 'no-false-signature',
  says: 'Nothing is signed for a claim that is not true, or by a witness that does not show it.',
  safety(events) {
    const requests = asked(events)
    return events
      .filter(({ what, data }) => {
        return what === 'proof.made' && requests.get(data.id)?.data.claimIsTrue === false
      })
      .map(({ t, data }) => {
        const lie = requests.get(data.id)?.data.lie ?? 'a false claim'
        return { t, problem: `Proof ${data.id} was signed in spite of ${lie}.` }
      })
  },
}

const SILENT = ['down', 'half_open', 'silent', 'lying']

export const failsClosed: Checker = {
  name: 'fails-closed',
  says: 'While the registry does not answer, no proof is made, and no host that begins is well.',
  safety(events) {
    const requests = asked(events)
    const silences = faultTimes(events).filter(
      ({ target, fault }) => /registry/.test(target) && SILENT.includes(fault),
    )
    const isSilent = (since: number, t: number) =>
      silences.some(({ from, to }) => from < since && t < to)
    let began = Number.NEGATIVE_INFINITY
    const wells = events.flatMap(({ t, who, what, data }): Found[] => {
      if (who === 'host' && what === 'started') began = t
      if (what !== 'health.seen' || data.isWell !== true || !isSilent(began, t)) return []
      return [{ t, problem: 'The host began without the registry, and says that it is well.' }]
    })
    const proofs = events
      .filter(({ what, t, data }) => {
        const { t: from, data: request } = requests.get(data.id) ?? {}
        // A lie goes past the host, which is who asks the registry.
        return (
          what === 'proof.made' &&
          from !== undefined &&
          request?.lie === undefined &&
          isSilent(from, t)
        )
      })
      .map(({ t, data }) => ({ t, problem: `Proof ${data.id} was made without the registry.` }))
    return [...wells, ...proofs]
  },
}

export const proofsAreWhole: Checker = {
  name: 'proofs-are-whole',
  says: 'A proof is of the block and the root that were asked for.',
  safety(events) {
    const requests = asked(events)
    const garblings = enclaveGarblings(events)
    return events
      .filter(({ what }) => what === 'proof.made')
      .filter(({ t, data }) => {
        const { t: since = t, data: request } = requests.get(data.id) ?? {}
        if (request?.claimIsTrue === false) return false
        if (garblings.some(({ from, to }) => from <= t && since <= to)) return false
        return request?.block !== data.block || request?.root !== data.root
      })
      .map(({ t, data }) => ({ t, problem: `Proof ${data.id} is not of what was asked for.` }))
  },
}
