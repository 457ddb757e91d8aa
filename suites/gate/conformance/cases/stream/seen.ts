import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectObject, expectString } from '../../matchers/expect-shape.ts'
import { recentBlocks } from '../../scenes/recent-blocks.ts'
import { streamedLogs } from '../../scenes/streamed-logs.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { indexLogs } from '../../seen/log-index.ts'
import type { SeenAnswer } from '../../seen/seen-answers.ts'
import { contentOf, expectStreamedForm } from '../../watch/streamed-and-sealed.ts'

const isOfPendingLogs = ({ params }: SeenAnswer) => params[0] === 'pendingLogs'

/** The ids that were confirmed, of pendingLogs and of others: each line may count its own. */
function confirmedIds({ seenStream }: CaseContext) {
  const idsOf = (answers: readonly SeenAnswer[]) => new Set(answers.map(({ result }) => result))
  const { pendingLogs = [], others = [] } = Object.groupBy(
    seenStream.to('eth_subscribe'),
    (answer) => (isOfPendingLogs(answer) ? 'pendingLogs' : 'others'),
  )
  return { ofPendingLogs: idsOf(pendingLogs), ofOthers: idsOf(others) }
}

export const cases = defineCases([
  {
    id: 'ws.pendinglogs.seen-confirmed.01',
    title: 'Every line of the run on which pendingLogs was asked for first was confirmed it',
    area: 'stream',
    rules: ['RPC-WS-01'],
    needs: ['ws'],
    judgesAll: true,
    rationale: 'One that is refused now and then is not there for whoever asks then.',
    async run(t) {
      await (await t.subscribeTo()).call('eth_subscribe', ['pendingLogs'])
      const { seenStream } = t
      const confirmed = seenStream.to('eth_subscribe')
      // That there is none at all, a case of its own tells.
      if (!confirmed.some(isOfPendingLogs)) notApplicable('pendingLogs was never confirmed.')
      const first = [...confirmed, ...seenStream.errorsTo('eth_subscribe')].filter(
        // Further ones of one line a node may limit; the gate counts the calls of each from 1.
        (answer) => isOfPendingLogs(answer) && JSON.parse(answer.exchange.request).id === 1,
      )
      await judgeEach(first, 'subscriptions', ({ result }) => {
        expectString(result, 'subscription id')
      })
    },
  },
  {
    id: 'ws.pendinglogs.seen-each.01',
    title:
      'Every message of the run is of a subscription that was confirmed, and its log that of a receipt',
    area: 'stream',
    rules: ['RPC-WS-02', 'RPC-LOG-01', 'RPC-LOG-02', 'RPC-LOG-03', 'RPC-LOG-05', 'RPC-LOG-12'],
    needs: ['ws', 'rpc', 'driver'],
    judgesAll: true,
    rationale: 'Whichever line was told, and be it its first message: nobody else hears of it.',
    async run(t) {
      const { subscribed } = await t.scene(streamedLogs)
      if (!('result' in subscribed)) notApplicable('pendingLogs was not confirmed.')
      const { receipts = [] } = await t.scene(recentBlocks)
      const placeOf = (log: object) => {
        const { transactionHash, logIndex } = Object(log)
        return `${transactionHash} ${logIndex}`
      }
      const sealed = new Map(indexLogs(receipts).logs.map((log) => [placeOf(log), log]))
      const { ofPendingLogs, ofOthers } = confirmedIds(t)
      await judgeEach(t.seenStream.notifications, 'messages', ({ message, exchange }) => {
        const { subscription, result } = expectObject(message.params, 'message.params')
        const isKnown = ofPendingLogs.has(subscription) || ofOthers.has(subscription)
        expectThat(isKnown, 'an id that was confirmed', subscription, 'params.subscription')
        // A block that the gate took out takes its logs with it.
        if (ofOthers.has(subscription) || exchange.at >= t.seen.calmUntil) return
        const log = expectObject(result, 'log')
        expectStreamedForm(log)
        const same = sealed.get(placeOf(log))
        if (same) expectEqual(contentOf(log), contentOf(same), 'log')
      })
    },
  },
])
