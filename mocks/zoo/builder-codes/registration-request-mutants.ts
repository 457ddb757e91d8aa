import { type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { firstPiece } from '../parts/first-piece.ts'
import { parseJson } from '../parts/parse-json.ts'
import { refused } from '../parts/refused.ts'
import { refusing } from '../parts/refusing.ts'
import { walletOf, walletTextOf } from './registration.ts'
import { replyEachSeventh } from './reply-each-seventh.ts'
import { serviceMutant } from './service-mutant.ts'

const codes = mutantsOf('builder-codes', 'api')

/** Gives a code to what it should refuse. */
const readsWallets = (
  rule: string,
  name: string,
  says: string,
  isMeant: (wallet: unknown) => boolean,
) =>
  codes(rule, name, says, () => ({
    async http(request, forward) {
      const answer = await forward(request)
      const wallet = walletOf(request)
      if (!isMeant(wallet)) return answer
      const body = JSON.stringify({ builderCode: 'bc_12345678', walletAddress: String(wallet) })
      return { ...answer, status: 201, body }
    },
  }))

/** Registers for what it makes of an address. */
const mendingBody = (change: (wallet: string) => string) => (): MutantHooks => ({
  http(request, forward) {
    if (!request.body.includes('"walletAddress":"')) return forward(request)
    return forward({ ...request, body: change(request.body) })
  },
})

/** Takes another text for an address. */
const mending = (change: (wallet: string) => string) => (): MutantHooks => ({
  http(request, forward) {
    const wallet = walletTextOf(request)
    if (wallet === undefined) return forward(request)
    return forward({ ...request, body: JSON.stringify({ walletAddress: change(wallet) }) })
  },
})

/** Mutants that refuse a request for a code which is right, or take one that is none. */
export const REGISTRATION_REQUEST_MUTANTS: readonly Mutant[] = [
  codes('BC-04', 'indented-refused', 'Refuses a body with spaces', () => ({
    http: async (request, forward) => (/\s/.test(request.body) ? refused(400) : forward(request)),
  })),
  codes('BC-04', 'charset-refused', 'Refuses a content type with a charset', () => ({
    http: async (request, forward) =>
      request.headers['content-type']?.includes('charset') ? refused(415) : forward(request),
  })),
  codes(
    'BC-06',
    'digits-refused',
    'Takes an address of digits alone for a number',
    refusing((request) => /^0x\d{40}$/.test(String(walletOf(request))), 400),
  ),
  readsWallets('BC-06', 'odd-digits', 'Takes an address that lacks a digit', (wallet) =>
    /^0x[0-9a-f]{39}$/i.test(String(wallet)),
  ),
  readsWallets('BC-06', 'trims', 'Takes an address with spaces around it', (wallet) =>
    /^\s+0x[0-9a-f]{40}|^0x[0-9a-f]{40}\s/i.test(String(wallet)),
  ),
  readsWallets('BC-05', 'list-as-text', 'Reads a list of one address as the address', (wallet) =>
    Array.isArray(wallet),
  ),
  codes(
    'BC-06',
    'digits-of-any-script',
    'Takes digits of other scripts for digits',
    mendingBody((body) => body.normalize('NFKC')),
  ),
  codes(
    'BC-06',
    'underscores',
    'Takes an address with underscores between its digits',
    mendingBody((body) => body.replace(/(?<=[0-9a-f])_(?=[0-9a-f])/g, '')),
  ),
  codes(
    'BC-06',
    'capital-x',
    'Takes 0X for 0x',
    mending((wallet) => wallet.replace(/^0X/, '0x')),
  ),
  codes(
    'BC-06',
    'line-break-behind',
    'Takes an address with a line break behind it',
    mending((wallet) => wallet.replace(/\n$/, '')),
  ),
  codes(
    'BC-06',
    'word-as-address',
    'Takes the last 20 of 32 bytes',
    mending((wallet) => wallet.replace(/^0x0{24}(?=.{40}$)/, '0x')),
  ),
  codes(
    'BC-06',
    'names-too',
    'Takes a name, and finds an address for it',
    mending((wallet) => wallet.replace(/^\w+\.eth$/, `0x${'5a'.repeat(20)}`)),
  ),
  serviceMutant(
    'BC-05',
    'member-in-any-case',
    'Takes walletaddress for its member',
    (request, forward) => {
      const found = Object(parseJson(request.body))
      const wallet = found.walletAddress ?? found.walletaddress ?? found.wallet_address
      if (found.walletAddress || !wallet) return forward(request)
      return forward({ ...request, body: JSON.stringify({ walletAddress: wallet }) })
    },
  ),
  serviceMutant('BC-05', 'list-of-one', 'Takes a list of one record', (request, forward) => {
    const found = parseJson(request.body)
    if (!Array.isArray(found) || !found[0]?.walletAddress) return forward(request)
    return forward({ ...request, body: JSON.stringify(found[0]) })
  }),
  codes(
    'BC-05',
    'seventh-refusal',
    'Gives each seventh body without a wallet a code',
    replyEachSeventh(
      (status) => status >= 400,
      () => ({ builderCode: 'bc_00000000' }),
    ),
  ),
  codes('BC-04', 'first-piece', 'Parses the first piece of a body', firstPiece),
]
