import { getAddress } from 'viem'
import type { Checker, Found, LoggedEvent } from './checker.ts'

const answered = (events: readonly LoggedEvent[]) =>
  events.filter(({ what }) => what === 'code.told')

export const codesLast: Checker = {
  name: 'codes-last',
  says: 'A wallet has one builder code for ever, and a code one wallet.',
  safety(events) {
    const codes = new Map<unknown, unknown>()
    const wallets = new Map<unknown, unknown>()
    const found: Found[] = []
    for (const { t, data } of answered(events)) {
      const { wallet, code } = data
      const known = codes.get(wallet)
      if (known !== undefined && known !== code) {
        found.push({ t, problem: `${wallet} had code ${known} and now has ${code}.` })
      }
      const owner = wallets.get(code)
      if (owner !== undefined && owner !== wallet) {
        found.push({ t, problem: `Code ${code} of ${owner} was given to ${wallet}, too.` })
      }
      codes.set(wallet, code)
      wallets.set(code, wallet)
    }
    return found
  },
}

/** Of all that Base ever gave out. */
const CODE = /^bc_[a-z0-9]{8}$/

export const codesAreSpelled: Checker = {
  name: 'codes-are-spelled',
  says: 'A builder code has the form of one, and is told for the wallet that asked, in its mixed letters (EIP-55).',
  safety: (events) =>
    answered(events).flatMap(({ t, data: { wallet, code, owner } }): Found[] => {
      if (!CODE.test(String(code))) return [{ t, problem: `${code} has no form of a code.` }]
      const right = getAddress(String(wallet))
      if (owner === undefined || owner === right) return []
      return [{ t, problem: `${code} is told for ${owner}, and ${right} asked.` }]
    }),
}

export const codesAreMadeOnce: Checker = {
  name: 'codes-are-made-once',
  says: 'One answer for a wallet says that its code is new, and it is the first.',
  safety(events) {
    const known = new Set<unknown>()
    return answered(events)
      .filter(({ data }) => {
        const isAgain = known.has(data.wallet) && data.isNew === true
        known.add(data.wallet)
        return isAgain
      })
      .map(({ t, data }) => ({ t, problem: `${data.wallet} was registered as new twice.` }))
  }, // An answer that was lost on its way may have said it.
  liveness(events) {
    const asked = events.filter(({ what }) => what === 'code.asked')
    const answers = Map.groupBy(answered(events), ({ data }) => data.wallet)
    return [...Map.groupBy(asked, ({ data }) => data.wallet)].flatMap(([wallet, all]): Found[] => {
      const own = answers.get(wallet) ?? []
      if (own.length < all.length || own.some(({ data }) => data.isNew)) return []
      return [{ t: own[0]!.t, problem: `${wallet} has a code that was new for nobody.` }]
    })
  },
}

/** As HTTP and the decision on builder codes have it (OPEN-41). */
const REFUSALS: Readonly<Record<string, number>> = {
  ...{ 'no JSON': 400, 'no address': 400, 'a number': 400, 'a digit too few': 400 },
  ...{ 'a wrong checksum': 400, 'plain text': 415, 'a body too long': 413 },
  ...{ 'another method': 405, 'another path': 404 },
}

export const oddIsRefused: Checker = {
  name: 'odd-registrations-are-refused',
  says: 'What is no registration is refused by its status, with a code and a sentence.',
  safety: (events) =>
    events.flatMap(({ t, what, data }): Found[] => {
      if (what !== 'registration.refused') return []
      const { about, status, code, message } = data
      const right = REFUSALS[String(about)]
      if (status !== right)
        return [
          { t, problem: `A registration with ${about} was answered ${status}, not ${right}.` },
        ]
      const isSaid = /^[A-Z_]+$/.test(String(code)) && /\w{4,}/.test(String(message))
      return isSaid
        ? []
        : [{ t, problem: `A registration with ${about} was refused without a reason.` }]
    }),
}
