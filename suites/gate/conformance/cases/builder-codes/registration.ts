import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectJsonType } from '../../matchers/expect-json-type.ts'
import { expectObject, expectString } from '../../matchers/expect-shape.ts'
import {
  CODES_PATH,
  codeOf,
  expectNoCode,
  postRegistration,
  registerCode,
} from '../../reads/register-code.ts'
import {
  freshWallet,
  otherDigit,
  otherWallets,
  registeredWallets,
} from '../../scenes/registered-wallets.ts'
import { inCapitals } from '../../spec/in-capitals.ts'
import { twoPieces } from '../../wire/two-pieces.ts'

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
/** Without a checksum, by which a wrong one might be refused for another reason. */
const PLAIN = ADDRESS.toLowerCase()
const REFUSED: readonly (readonly [what: string, rule: string, body: unknown])[] = [
  ['an empty object', 'BC-05', {}],
  ['a number as walletAddress', 'BC-05', { walletAddress: 5 }],
  ['null as walletAddress', 'BC-05', { walletAddress: null }],
  ['a list', 'BC-05', [ADDRESS]],
  ['text that is no JSON', 'BC-05', '{"walletAddress":'],
  ['the word hello', 'BC-06', { walletAddress: 'hello' }],
  ['an address without 0x', 'BC-06', { walletAddress: PLAIN.slice(2) }],
  ['19 bytes', 'BC-06', { walletAddress: PLAIN.slice(0, -2) }],
  ['21 bytes', 'BC-06', { walletAddress: `${PLAIN}00` }],
  ['a digit that is no hex', 'BC-06', { walletAddress: `${PLAIN.slice(0, -1)}g` }],
  ['39 digits', 'BC-06', { walletAddress: PLAIN.slice(0, -1) }],
  ['41 digits', 'BC-06', { walletAddress: `${PLAIN}0` }],
  ['0x alone', 'BC-06', { walletAddress: '0x' }],
  ['an empty text', 'BC-06', { walletAddress: '' }],
  ['an address with spaces around it', 'BC-06', { walletAddress: ` ${PLAIN} ` }],
  ['two addresses in one text', 'BC-06', { walletAddress: `${PLAIN},${PLAIN}` }],
  ['an address in a list', 'BC-05', { walletAddress: [PLAIN] }],
  ['an address in an object', 'BC-05', { walletAddress: { address: PLAIN } }],
  ['true as walletAddress', 'BC-05', { walletAddress: true }],
  ['0X in place of 0x', 'BC-06', { walletAddress: `0X${PLAIN.slice(2)}` }],
  ['an address with a line break behind it', 'BC-06', { walletAddress: `${PLAIN}\n` }],
  ['a word of 32 bytes', 'BC-06', { walletAddress: `0x${'00'.repeat(12)}${PLAIN.slice(2)}` }],
  ['a name', 'BC-06', { walletAddress: 'somebody.eth' }],
  ['an address under another name', 'BC-05', { wallet: PLAIN, address: PLAIN }],
  ['an address in digits of full width', 'BC-06', { walletAddress: fullWidth(PLAIN) }],
  [
    'an address with an underscore between two digits',
    'BC-06',
    { walletAddress: `${PLAIN.slice(0, 10)}_${PLAIN.slice(10)}` },
  ],
  ['an address under its name in small letters', 'BC-05', { walletaddress: PLAIN }],
  ['an address under its name with an underscore', 'BC-05', { wallet_address: PLAIN }],
  ['a list of one record', 'BC-05', [{ walletAddress: PLAIN }]],
]

export const cases = defineCases([
  {
    id: 'api.codes.register.01',
    title: 'A POST of a wallet address gives a record with its code',
    area: 'builder-codes',
    rules: ['BC-01', 'BC-04', 'BC-07', 'BC-08', 'BC-14'],
    needs: ['api'],
    rationale: 'No credentials, JSON in and JSON out.',
    async run(t) {
      for (const { wallet, first } of await t.scene(registeredWallets)) {
        codeOf(first)
        const body = expectObject(first.json, 'body')
        const echoed = expectString(body.walletAddress, 'body.walletAddress')
        expectEqual(echoed.toLowerCase(), wallet.toLowerCase(), 'body.walletAddress')
      }
    },
  },
  {
    id: 'api.codes.prefix.01',
    title: 'Every code begins with bc_',
    area: 'builder-codes',
    rules: ['BC-09', 'BC-07'],
    needs: ['api'],
    rationale:
      'The prefix tells a builder code from other ERC-8021 codes; of wallets with each last digit.',
    async run(t) {
      for (const { first } of await t.scene(otherWallets)) {
        const code = codeOf(first)
        expectThat(/^bc_.+/.test(code), 'bc_ and more', code, 'body.builderCode')
      }
    },
  },
  {
    id: 'api.codes.form.01',
    title: 'A code is bc_ and eight of a-z and 0-9',
    area: 'builder-codes',
    rules: ['BC-09'],
    level: 'should',
    needs: ['api'],
    rationale: 'The form all known codes have; not fixed by the spec (OPEN-40).',
    async run(t) {
      for (const { first } of await t.scene(otherWallets)) {
        const code = codeOf(first)
        expectThat(/^bc_[a-z0-9]{8}$/.test(code), 'bc_[a-z0-9]{8}', code, 'body.builderCode')
      }
    },
  },
  {
    id: 'api.codes.again.01',
    title: 'Registering again gives the same code',
    area: 'builder-codes',
    rules: ['BC-10', 'BC-11', 'BC-14'],
    needs: ['api'],
    rationale:
      'Agents register at every start, without credentials; a new code would split their attribution.',
    async run(t) {
      for (const { first, second } of await t.scene(registeredWallets)) {
        expectEqual(codeOf(second), codeOf(first), 'code of the second registration')
      }
    },
  },
  {
    id: 'api.codes.own-code.01',
    title: 'Who asks with a code of his own gets the code that the wallet has, or a refusal',
    area: 'builder-codes',
    rules: ['BC-10', 'BC-12'],
    needs: ['api'],
    rationale:
      'A record that is stored as it came lets anybody take over what another is credited.',
    async run({ api }) {
      const walletAddress = freshWallet()
      const code = await registerCode(api, walletAddress)
      const reply = await postRegistration(api, { walletAddress, builderCode: 'bc_0wn0wn00' })
      if (reply.status >= 400) expectNoCode(reply, 'refusal of another one')
      else expectEqual(codeOf(reply), code, 'code in reply to another one')
      expectEqual(await registerCode(api, walletAddress), code, 'code after it')
    },
  },
  {
    id: 'api.codes.at-once.01',
    title: 'Ten registrations at once succeed with one code, however they spell the wallet',
    area: 'builder-codes',
    rules: ['BC-11', 'BC-10', 'BC-12'],
    needs: ['api'],
    rationale: 'A race must not issue two codes to one wallet.',
    async run({ api }) {
      const wallet = freshWallet()
      const spellings = Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0 ? wallet : wallet.toLowerCase(),
      )
      const codes = await Promise.all(spellings.map((spelling) => registerCode(api, spelling)))
      expectEqual([...new Set(codes)].length, 1, 'different codes')
    },
  },
  {
    id: 'api.codes.letter-case.01',
    title: 'The letter case of an address does not make another wallet',
    area: 'builder-codes',
    rules: ['BC-12'],
    needs: ['api'],
    rationale: 'One wallet always maps to one code; case is only spelling (OPEN-42).',
    async run({ api }) {
      const wallet = freshWallet()
      const lower = await registerCode(api, wallet.toLowerCase())
      expectEqual(await registerCode(api, wallet), lower, 'code of the checksummed form')
      const walletAddress = inCapitals(wallet)
      const capitals = await postRegistration(api, { walletAddress })
      // In capitals alone it has no right checksum, for which it may be refused.
      if (capitals.status >= 400) expectNoCode(capitals, 'refusal of capitals')
      else expectEqual(codeOf(capitals), lower, 'code of capitals')
    },
  },
  {
    id: 'api.codes.any-digits.01',
    title:
      'Wallets of zeros at the front, of digits or letters alone, or alike but in the middle, are wallets',
    area: 'builder-codes',
    rules: ['BC-01', 'BC-06', 'BC-08', 'BC-10'],
    needs: ['api'],
    rationale:
      'An address is 20 bytes, whatever is in them; one that is read as a number is another.',
    async run({ api }) {
      const digits = freshWallet().slice(2).toLowerCase()
      const wallets = [
        `0x${digits}`,
        `0x${digits.slice(0, 20)}${otherDigit(digits[20]!)}${digits.slice(21)}`,
        `0x${'0'.repeat(8)}${digits.slice(8)}`,
        `0x${digits.replaceAll(/[a-f]/g, (letter) => String(letter.charCodeAt(0) % 10))}`,
        `0x${digits.replaceAll(/[0-9]/g, (digit) => 'abcdef'[Number(digit) % 6]!)}`,
      ]
      for (const wallet of wallets) {
        const first = await postRegistration(api, { walletAddress: wallet })
        const code = codeOf(first)
        const echoed = expectString(expectObject(first.json, 'body').walletAddress, 'walletAddress')
        expectEqual(echoed.toLowerCase(), wallet, 'body.walletAddress')
        expectEqual(await registerCode(api, wallet), code, `code of ${wallet}, asked for again`)
      }
    },
  },
  {
    id: 'api.codes.kept.01',
    title: 'Wallets have their codes still when 64 others have been registered since',
    area: 'builder-codes',
    rules: ['BC-12', 'BC-10', 'BC-11', 'BC-14'],
    needs: ['api'],
    judgesAll: true,
    rationale:
      'At the end of the run: a code is for good, not for as long as it is in use, and always free.',
    async run(t) {
      const registered = await t.scene(registeredWallets)
      for (const { first } of await t.scene(otherWallets)) codeOf(first)
      for (const { wallet, first } of registered)
        expectEqual(await registerCode(t.api, wallet), codeOf(first), 'code after all others')
    },
  },
  {
    id: 'api.codes.spelling.01',
    title:
      'Spaces and escapes in the JSON, capitals and a charset in its type make no other request',
    area: 'builder-codes',
    rules: ['BC-04', 'BC-11'],
    needs: ['api'],
    rationale: 'Clients write JSON in many ways, and many name UTF-8: it is the same request.',
    async run({ api }) {
      const body = { walletAddress: freshWallet() }
      const code = await registerCode(api, body.walletAddress)
      const indented = await postRegistration(api, `${JSON.stringify(body, null, 2)}\n`)
      expectEqual(codeOf(indented), code, 'code, asked for with spaces')
      const escaped = JSON.stringify(body).replace('wallet', '\\u0077allet')
      const spelt = await postRegistration(api, escaped)
      expectEqual(codeOf(spelt), code, 'code, asked for with an escape')
      for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
        const named = await postRegistration(api, body, { 'content-type': type })
        expectEqual(codeOf(named), code, `code, asked for by ${type}`)
      }
    },
  },
  {
    id: 'api.codes.in-pieces.01',
    title: 'A body that comes in two pieces, or in two chunks, is one body',
    area: 'builder-codes',
    rules: ['BC-04', 'BC-05'],
    needs: ['api'],
    rationale: 'A connection has no borders: what one read gives is what has come so far.',
    async run(t) {
      const { api } = t
      const walletAddress = freshWallet()
      const body = JSON.stringify({ walletAddress })
      const cuts = [1, body.indexOf(walletAddress) + 20, body.length - 1]
      for (const pieces of twoPieces(cuts, t)) {
        const reply = await postRegistration(api, body, {}, { pieces })
        const echoed = expectString(expectObject(reply.json, 'body').walletAddress, 'walletAddress')
        expectEqual(echoed.toLowerCase(), walletAddress.toLowerCase(), 'body.walletAddress')
        expectEqual(
          codeOf(reply),
          await registerCode(api, walletAddress),
          `code, asked for by a body ${pieces.says}`,
        )
      }
    },
  },
  {
    id: 'api.codes.distinct.01',
    title: 'Different wallets get different codes',
    area: 'builder-codes',
    rules: ['BC-13'],
    level: 'should',
    needs: ['api'],
    rationale: 'A shared code credits the wrong builder.',
    async run(t) {
      const wallets = [...(await t.scene(registeredWallets)), ...(await t.scene(otherWallets))]
      const codes = new Set(wallets.map(({ first }) => codeOf(first)))
      expectEqual(codes.size, wallets.length, 'different codes')
    },
  },
  {
    id: 'api.codes.status.01',
    title: 'The first registration is 201, the next 200',
    area: 'builder-codes',
    rules: ['BC-11'],
    level: 'should',
    needs: ['api'],
    rationale: 'Decided for OPEN-41: created, and then only found.',
    async run(t) {
      for (const { first, second } of await t.scene(registeredWallets)) {
        expectEqual([first.status, second.status], [201, 200], 'HTTP status')
      }
    },
  },
  {
    id: 'api.codes.version-segment.01',
    title: 'The path without v1 is not the endpoint',
    area: 'builder-codes',
    rules: ['BC-02', 'BC-01'],
    needs: ['api'],
    rationale: 'The version is part of the contract, so that a v2 can differ.',
    async run({ api }) {
      const body = JSON.stringify({ walletAddress: freshWallet() })
      const headers = { 'content-type': 'application/json' }
      const path = CODES_PATH.replace('/v1', '')
      expectNoCode(await api.send({ path, headers, body }), 'reply without v1')
      expectNoCode(await api.send({ path: CODES_PATH, method: 'GET' }), 'reply to GET')
      codeOf(await postRegistration(api, body))
    },
  },
  {
    id: 'api.codes.in-query.01',
    title: 'A wallet in the query of a POST without one in its body gets no code',
    area: 'builder-codes',
    rules: ['BC-05'],
    needs: ['api'],
    rationale: 'A query is kept in the logs of every proxy; the wallet belongs into the body.',
    async run({ api }) {
      const path = `${CODES_PATH}?walletAddress=${freshWallet()}`
      const headers = { 'content-type': 'application/json' }
      expectNoCode(await api.send({ path, headers, body: '{}' }), 'reply')
    },
  },
  {
    id: 'api.codes.post-alone.01',
    title: 'A GET with a wallet in its query and a PUT give no code',
    area: 'builder-codes',
    rules: ['BC-01'],
    level: 'should',
    needs: ['api'],
    rationale: 'Registration is a POST; a page that is only looked at must register nobody.',
    async run({ api }) {
      const path = `${CODES_PATH}?walletAddress=${freshWallet()}`
      expectNoCode(await api.send({ path, method: 'GET' }), 'reply to GET')
      const headers = { 'content-type': 'application/json' }
      const put = { path: CODES_PATH, method: 'PUT', headers }
      const body = JSON.stringify({ walletAddress: freshWallet() })
      expectNoCode(await api.send({ ...put, body }), 'reply to PUT')
    },
  },
  {
    id: 'api.codes.apart-from-rpc.01',
    title: 'The API serves no JSON-RPC, and the node no registration',
    area: 'builder-codes',
    rules: ['BC-03'],
    needs: ['api', 'rpc'],
    rationale: 'They are two interfaces; a client of one needs nothing of the other.',
    async run({ api, rpc }) {
      const headers = { 'content-type': 'application/json' }
      const call = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{}] }
      const reply = await api.send({ headers, body: JSON.stringify(call) })
      const answered =
        typeof reply.json === 'object' && reply.json !== null && 'result' in reply.json
      expectEqual(answered, false, 'the API answers JSON-RPC')
      const body = JSON.stringify({ walletAddress: freshWallet() })
      expectNoCode((await rpc.post(body, { path: CODES_PATH })).http, 'reply of the node')
    },
  },
  ...REFUSED.map(
    ([what, rule, body], index): ConformanceCase => ({
      id: `api.codes.refused.${String(index + 1).padStart(2, '0')}`,
      title: `${what} gets no code`,
      area: 'builder-codes',
      rules: [rule],
      needs: ['api'],
      rationale: 'A code for something that is no wallet can never be paid.',
      async run({ api }) {
        expectNoCode(await postRegistration(api, body), 'reply')
      },
    }),
  ),
  {
    id: 'api.codes.checksum.01',
    title: 'A wrong EIP-55 checksum is refused with 400 and an error object',
    area: 'builder-codes',
    rules: ['BC-06'],
    level: 'should',
    needs: ['api'],
    rationale: 'Decided for OPEN-41: a mistyped address is caught while someone can mend it.',
    async run({ api }) {
      const wrong = `${ADDRESS.slice(0, -1)}D`
      const reply = await postRegistration(api, { walletAddress: wrong })
      expectEqual(reply.status, 400, 'HTTP status')
      expectObject(expectObject(reply.json, 'body').error, 'body.error')
    },
  },
  {
    id: 'api.codes.answer-type.01',
    title: 'Records and refusals say that they are JSON',
    area: 'builder-codes',
    rules: ['BC-07'],
    level: 'should',
    needs: ['api'],
    rationale: 'A record is an object with members; its type is not stated (OPEN-41).',
    async run(t) {
      for (const { first, second } of await t.scene(registeredWallets))
        for (const reply of [first, second]) expectJsonType(reply, 'a record')
      expectJsonType(await postRegistration(t.api, {}), 'a refusal')
    },
  },
  {
    id: 'api.codes.content-type.01',
    title: 'A form body is refused with 415',
    area: 'builder-codes',
    rules: ['BC-04'],
    level: 'should',
    needs: ['api'],
    rationale: 'Bodies are JSON (OPEN-41).',
    async run({ api }) {
      const form = `walletAddress=${freshWallet()}`
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      expectEqual((await postRegistration(api, form, type)).status, 415, 'HTTP status')
    },
  },
])

/** The digits as they stand among Chinese characters. */
function fullWidth(address: string): string {
  const wide = (digit: string) => String.fromCodePoint(digit.codePointAt(0)! + 0xfee0)
  return `0x${address.slice(2).replaceAll(/[0-9]/g, wide)}`
}
