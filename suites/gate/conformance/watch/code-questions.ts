import type { CaseContext } from '../conformance-case.ts'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { expectObject } from '../matchers/expect-shape.ts'
import { CODES_PATH, codeOf, expectNoCode, postRegistration } from '../reads/register-code.ts'
import { freshWallet } from '../scenes/registered-wallets.ts'
import type { HttpReply } from '../wire/http-client.ts'
import type { KnownQuestion } from './known-question.ts'

const WALLETS = 3
const REFUSED = [{}, { walletAddress: 5 }, { walletAddress: 'hello' }, { walletAddress: '0x12' }]

function registration(
  { api }: CaseContext,
  body: unknown,
  judge: (reply: HttpReply) => void,
): KnownQuestion {
  return {
    async ask() {
      const reply = await postRegistration(api, body)
      const exchange = {
        ...{ transport: 'http' as const, url: `${api.url}${CODES_PATH}` },
        ...{ request: JSON.stringify(body), response: reply.text, status: reply.status },
      }
      return { judge: () => judge(reply), exchange }
    },
  }
}

async function known(t: CaseContext): Promise<KnownQuestion[]> {
  const codes = new Map<string, string>()
  return Array.from({ length: WALLETS }, freshWallet).flatMap((wallet) =>
    [wallet, wallet.toLowerCase()].map((walletAddress) =>
      registration(t, { walletAddress }, (reply) => {
        const code = codeOf(reply)
        expectThat(/^bc_.+/.test(code), 'bc_ and more', code, 'body.builderCode')
        const { walletAddress: echoed } = expectObject(reply.json, 'body')
        expectEqual(String(echoed).toLowerCase(), wallet.toLowerCase(), 'body.walletAddress')
        expectEqual(code, codes.get(wallet) ?? code, 'body.builderCode')
        codes.set(wallet, code)
      }),
    ),
  )
}

async function refused(t: CaseContext): Promise<KnownQuestion[]> {
  return REFUSED.map((body) => registration(t, body, (reply) => expectNoCode(reply, 'reply')))
}

/** Wallets that are registered again and again, and what is no wallet. */
export const codeQuestions = { known, refused }
