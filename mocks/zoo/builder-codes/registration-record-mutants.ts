import { getAddress } from 'viem'
import { type HttpAnswer, type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { parseJson } from '../parts/parse-json.ts'
import { isRecord, walletOf, walletTextOf, withRecord } from './registration.ts'
import { replyEachSeventh } from './reply-each-seventh.ts'
import { serviceMutant } from './service-mutant.ts'

const codes = mutantsOf('builder-codes', 'api')

/** Keeps a record by the first and the last digits of its wallet. */
const byItsEnds: Mutant['apply'] = () => {
  const kept = new Map<string, HttpAnswer>()
  return {
    async http(request, forward) {
      const reply = await forward(request)
      if (reply.status >= 300) return reply
      const wallet = String(walletOf(request)).toLowerCase()
      const ends = `${wallet.slice(0, 14)}${wallet.slice(-12)}`
      const before = kept.get(ends)
      if (!before) kept.set(ends, reply)
      return before ?? reply
    },
  }
}

/** Wallets that are remembered, by one who keeps those of late. */
const REMEMBERED = 45

/** The code of a record with another end. */
const withOtherCode = (answer: HttpAnswer, end: string) =>
  withRecord(answer, (record) => ({
    ...record,
    builderCode: `${String(record.builderCode).slice(0, -end.length)}${end}`,
  }))

/** A wallet that came back after so many others gets a code as if it were new. */
const forgetful = (): MutantHooks => {
  const remembered: string[] = []
  const times = new Map<string, number>()
  return {
    async http(request, forward) {
      const answer = await forward(request)
      const wallet = walletTextOf(request)?.toLowerCase()
      if (!wallet || answer.status >= 300) return answer
      const at = remembered.indexOf(wallet)
      if (at >= 0) remembered.splice(at, 1)
      else times.set(wallet, (times.get(wallet) ?? -1) + 1)
      remembered.push(wallet)
      if (remembered.length > REMEMBERED) remembered.shift()
      const time = times.get(wallet)!
      return time > 0 ? withOtherCode(answer, String(time)) : answer
    },
  }
}

/** Two spellings of a wallet that come at once are two wallets. */
const racing = (): MutantHooks => {
  const underWay: string[] = []
  return {
    async http(request, forward) {
      const wallet = walletTextOf(request) ?? ''
      const isOther = (each: string) =>
        each !== wallet && each.toLowerCase() === wallet.toLowerCase()
      const isLate = underWay.some(isOther)
      underWay.push(wallet)
      try {
        const answer = await forward(request)
        return isLate ? withOtherCode(answer, 'zz') : answer
      } finally {
        underWay.splice(underWay.indexOf(wallet), 1)
      }
    },
  }
}

/** Whoever shares all digits but the last is the same wallet. */
const shortKeyed = (): MutantHooks => {
  const records = new Map<string, string>()
  return {
    async http(request, forward) {
      const answer = await forward(request)
      const key = walletTextOf(request)?.toLowerCase().slice(0, -1)
      if (!key || answer.status >= 300) return answer
      if (!records.has(key)) records.set(key, answer.body)
      return { ...answer, body: records.get(key)! }
    },
  }
}

const inCapitals = (): MutantHooks => ({
  async http(request, forward) {
    const wallet = walletTextOf(request) ?? ''
    const answer = await forward(request)
    return /^0x[0-9A-F]*[A-F][0-9A-F]*$/.test(wallet) ? withOtherCode(answer, 'zz') : answer
  },
})

const json = (status: number, body: unknown): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

type Registration = (wallet: string, ask: () => Promise<HttpAnswer>) => Promise<HttpAnswer>

/** A service with some state of its own; it is asked with the wallets that are well-formed. */
const registering = (rule: string, name: string, says: string, make: () => Registration) =>
  codes(rule, name, says, () => {
    const register = make()
    return {
      http: async (request, forward) => {
        const wallet = walletOf(request)
        const isOne = typeof wallet === 'string' && /^0x[0-9a-f]{40}$/i.test(wallet)
        return isOne ? register(wallet, () => forward(request)) : forward(request)
      },
    }
  })

/** Codes that have something behind them. */
const codesWith = (end: string) => (): MutantHooks => ({
  http: async (request, forward) =>
    withRecord(await forward(request), (record) => ({
      ...record,
      builderCode: `${record.builderCode}${end}`,
    })),
})

/** Mutants that answer with the record of another wallet, another code, or a record that is spelt otherwise. */
export const REGISTRATION_RECORD_MUTANTS: readonly Mutant[] = [
  codes('BC-08', 'zeros-lost', 'Gives an address without the zeros at its front', () => ({
    async http(request, forward) {
      const reply = await forward(request)
      return { ...reply, body: reply.body.replace(/"0x0{4,}/, '"0x') }
    },
  })),
  codes('BC-08', 'by-its-ends', 'Does not look at the middle of an address', byItsEnds),
  codes('BC-12', 'forgetful', 'Forgets a wallet over forty-five others', forgetful),
  codes('BC-12', 'two-spellings-at-once', 'Two spellings at once get two codes', racing),
  codes('BC-12', 'capitals-apart', 'An address in capitals is another wallet', inCapitals),
  codes('BC-08', 'neighbours-record', 'Does not look at the last digit', shortKeyed),
  serviceMutant(
    'BC-12',
    'code-of-the-caller',
    'Takes the code that the caller gives',
    async (request, forward) => {
      const { builderCode } = Object(parseJson(request.body))
      const answer = await forward(request)
      return builderCode ? withRecord(answer, (record) => ({ ...record, builderCode })) : answer
    },
  ),
  codes('BC-11', 'conflict-in-other-case', 'Refuses a wallet in another letter case', () => {
    const spelt = new Map<string, string>()
    return {
      async http(request, forward) {
        const answer = await forward(request)
        if (!isRecord(answer)) return answer
        const wallet = String(walletOf(request))
        const before = spelt.get(wallet.toLowerCase()) ?? wallet
        spelt.set(wallet.toLowerCase(), before)
        return before === wallet ? answer : json(409, {})
      },
    }
  }),
  codes('BC-05', 'record-before', 'Answers a broken request with the record before it', () => {
    let last: HttpAnswer | undefined
    return {
      async http(request, forward) {
        const answer = await forward(request)
        if (isRecord(answer)) last = answer
        return answer.status === 400 && parseJson(request.body) === undefined
          ? (last ?? answer)
          : answer
      },
    }
  }),
  registering('BC-08', 'wallet-of-another-at-once', 'Echoes the wallet that was asked last', () => {
    let last = ''
    return async (wallet, ask) => {
      last = wallet
      return withRecord(await ask(), (record) => ({
        ...record,
        walletAddress: getAddress(last.toLowerCase()),
      }))
    }
  }),
  registering(
    'BC-09',
    'prefix-in-capitals-at-times',
    'Writes BC_ for a wallet that ends with 0',
    () => {
      return async (wallet, ask) =>
        withRecord(await ask(), (record) =>
          wallet.endsWith('0')
            ? { ...record, builderCode: `BC_${String(record.builderCode).slice(3)}` }
            : record,
        )
    },
  ),
  codes(
    'ATTR-03',
    'longer-than-a-suffix',
    'Issues codes of 300 letters',
    codesWith('x'.repeat(289)),
  ),
  codes('ATTR-03', 'beyond-ascii', 'Issues codes with a letter beyond ASCII', codesWith('é')),
  codes(
    'BC-10',
    'seventh-code',
    'Each seventh registration gives another code',
    replyEachSeventh(
      (status) => status < 300,
      (body) => ({ ...body, builderCode: 'bc_00000000' }),
    ),
  ),
  codes('BC-11', 'one-of-a-crowd-fails', 'Answers the tenth of many at once with 500', () => {
    let underWay = 0
    return {
      async http(request, forward) {
        underWay += 1
        const isTenth = underWay === 10
        const reply = await forward(request).finally(() => {
          underWay -= 1
        })
        return isTenth && reply.status < 300 ? { ...reply, status: 500 } : reply
      },
    }
  }),
]
