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

export const codesAreMadeOnce: Checker = {
  name: 'codes-are-made-once',
  says: 'Only the first answer for a wallet says that its code is new.',
  safety(events) {
    const known = new Set<unknown>()
    return answered(events)
      .filter(({ data }) => {
        const isAgain = known.has(data.wallet) && data.isNew === true
        known.add(data.wallet)
        return isAgain
      })
      .map(({ t, data }) => ({ t, problem: `${data.wallet} was registered as new twice.` }))
  },
}
