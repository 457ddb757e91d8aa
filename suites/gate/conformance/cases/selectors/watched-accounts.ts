import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { looksAround } from '../../seen/looks-around.ts'
import { pendingLooks, type SeenBlock, seenBlocks } from '../../seen/seen-blocks.ts'

const PENDING = ['RPC-SEL-03', 'RPC-SEL-09']

const watched = (
  about: Pick<ConformanceCase, 'id' | 'title' | 'rationale'>,
  run: ConformanceCase['run'],
): ConformanceCase => ({
  ...about,
  area: 'selectors',
  rules: PENDING,
  needs: ['rpc', 'driver'],
  judgesAll: true,
  watches: true,
  run,
})

/** Answers of a method at pending about one of some accounts. */
const askedOf = ({ seen }: CaseContext, method: string, accounts: readonly unknown[]) =>
  seen
    .inCalm(method)
    .filter(({ params: [account, tag] }) => tag === 'pending' && accounts.includes(account))

/** What the looks at pending had in them up to a moment, the most of it. */
function mostBefore({ seen }: CaseContext, countIn: (block: SeenBlock) => bigint) {
  const looks = pendingLooks(seen).map((look) => ({
    ...{ asked: look.asked, answered: look.answered },
    count: countIn(look),
  }))
  const around = looksAround(looks, {
    before: (far, near) => (near.count > far.count ? near : far),
  })
  return (moment: number) => around.before(moment)?.count ?? 0n
}

/** What sets its sender's code raises the nonce twice (EIP-7702). */
const MOST_FOR_ONE = 2n

/** The sender's nonce with all that was sent up to a moment or on its way then, however long it waits in the pool. */
function nonceWithAllSent(
  { watched }: CaseContext,
  nonceOf: (hash: unknown) => bigint | undefined,
) {
  const sent = watched.sent.flatMap(({ hash, taken }) => {
    const nonce = nonceOf(hash)
    return nonce === undefined ? [] : [{ taken, nonce }]
  })
  return (moment: number) => {
    const onItsWay = sent.find(({ taken }) => taken > moment)
    return onItsWay && onItsWay.nonce + MOST_FOR_ONE
  }
}

export const cases = defineCases([
  watched(
    {
      id: 'rpc.selectors.watched-nonce.01',
      title:
        'eth_getTransactionCount at pending counts each transaction of the sender that pending has listed, and none twice, at any moment',
      // Deployed nodes count those of the pool, too: as many more as were sent.
      rationale:
        'Whoever sends the next transaction by it would send a nonce that is used, or one that has to wait.',
    },
    async (t) => {
      const { sender } = t.watched
      if (!sender) notApplicable('The watch sent nothing.')
      const nonces = new Map(
        seenBlocks(t.seen)
          .flatMap(({ transactions = [] }) => transactions)
          .filter(({ from }) => String(from).toLowerCase() === sender)
          .map(({ hash, nonce }) => [hash, BigInt(String(nonce))]),
      )
      const countIn = ({ hashes }: SeenBlock) =>
        hashes.reduce<bigint>((most, hash) => {
          const nonce = nonces.get(hash) ?? -1n
          return nonce >= most ? nonce + 1n : most
        }, 0n)
      const leastAt = mostBefore(t, countIn)
      const mostAt = nonceWithAllSent(t, (hash) => nonces.get(hash))
      const method = 'eth_getTransactionCount'
      await judgeEach(askedOf(t, method, [sender]), `answers to ${method}`, (each) => {
        const [count, least] = [expectQuantity(each.result, 'result'), leastAt(each.asked)]
        const most = mostAt(each.answered)
        const at = 'transactions of the sender'
        expectThat(count >= least, `${least} or more`, count, at)
        expectThat(most === undefined || count <= most, `${most} or less`, count, at)
      })
    },
  ),
  watched(
    {
      id: 'rpc.selectors.watched-balance.01',
      title:
        'eth_getBalance at pending has what a new account was paid once pending lists the payment, at any moment',
      rationale: 'An account that is in no sealed state yet is there all the same.',
    },
    async (t) => {
      const { paid } = t.watched
      const payments = new Map(paid.map((payment) => [payment.to as unknown, payment]))
      const listedBy = new Map<unknown, number>()
      for (const { hashes, answered } of seenBlocks(t.seen))
        for (const hash of hashes)
          listedBy.set(hash, Math.min(answered, listedBy.get(hash) ?? answered))
      const asked = askedOf(t, 'eth_getBalance', [...payments.keys()])
      const known = asked.filter(
        (each) => (listedBy.get(payments.get(each.params[0])?.hash) ?? Infinity) < each.asked,
      )
      await judgeEach(known, 'balances of accounts that had been paid', ({ params, result }) =>
        expectEqual(
          expectQuantity(result, 'result'),
          payments.get(params[0])?.value,
          `balance of ${params[0]}`,
        ),
      )
    },
  ),
])
