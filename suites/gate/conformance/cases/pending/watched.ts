import { isDeepStrictEqual } from 'node:util'
import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectAddress, expectBytes, expectQuantity } from '../../matchers/expect-hex.ts'
import { expectArray, type JsonObject } from '../../matchers/expect-shape.ts'
import { toLogs } from '../../reads/get-logs.ts'
import { preconfirmedWindow } from '../../scenes/preconfirmed-window.ts'
import { recentBlocks } from '../../scenes/recent-blocks.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { type BlockReceipts, criteriaOf, indexLogs, isIntoPending } from '../../seen/log-index.ts'
import { looksAround } from '../../seen/looks-around.ts'
import { type PendingMoment, pendingMoments } from '../../seen/pending-moments.ts'
import type { SeenAnswer } from '../../seen/seen-answers.ts'
import { pendingLooks, type SeenBlock, seenSealed, toSeenBlock } from '../../seen/seen-blocks.ts'
import { keccak256 } from '../../spec/hash.ts'
import { L1_BLOCK, ORIGIN_CALL, SHORT_ORIGIN_SLOT } from '../../spec/l1-origin.ts'
import { blockOrigins } from '../../watch/block-origins.ts'
import { contentOf } from '../../watch/streamed-and-sealed.ts'
import { PENDING_LOGS, PENDING_PROOF } from '../../watch/watch-node.ts'

const TAGS = ['finalized', 'safe', 'latest']

const longer = (far: SeenBlock, near: SeenBlock) =>
  near.hashes.length > far.hashes.length ? near : far

type About = Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'area' | 'rationale' | 'profiles'>

const watched = (about: About, run: ConformanceCase['run']): ConformanceCase => ({
  ...about,
  needs: ['rpc', 'driver'],
  judgesAll: true,
  watches: true,
  run,
})

/** A case that holds what a method read at pending against the sealed block that came of it. */
const ofOrigin = (about: About, method: string, read: (result: unknown) => unknown) =>
  watched(about, async (t) => {
    await t.scene(recentBlocks)
    const moments = momentsOf(t, method, ORIGIN_QUESTIONS[method]!)
    const parents = new Set(moments.map(({ before }) => before.block.parentHash))
    const ownOrigins = await t.scene(blockOrigins)
    const origins = new Map<unknown, unknown>()
    for (const { block } of seenSealed(t.seen)) {
      if (origins.has(block.parentHash) || !parents.has(block.parentHash)) continue
      origins.set(block.parentHash, await ownOrigins.at(BigInt(String(block.number))))
    }
    if ([...origins.values()].every((origin) => /^0x0*$/.test(String(origin))))
      notApplicable('The blocks of this chain write no L1 origin.')
    const known = moments.filter(({ before }) => origins.has(before.block.parentHash))
    await judgeEach(known, `answers to ${method} at pending`, ({ result, before }) =>
      expectEqual(
        read(result),
        origins.get(before.block.parentHash),
        'L1 origin of the pending block',
      ),
    )
  })

const ORIGIN_QUESTIONS: Readonly<Record<string, readonly unknown[]>> = {
  eth_call: [ORIGIN_CALL, 'pending'],
  eth_getStorageAt: [L1_BLOCK, SHORT_ORIGIN_SLOT, 'pending'],
  eth_simulateV1: [{ blockStateCalls: [{ calls: [ORIGIN_CALL] }] }, 'pending'],
}

/** Answers of one method to one question, whatever overrides came with it. */
function momentsOf(
  { seen }: CaseContext,
  method: string,
  question: readonly unknown[],
): PendingMoment[] {
  const asked = seen
    .inCalm(method)
    .filter(({ params }) => isDeepStrictEqual(params.slice(0, question.length), question))
  return pendingMoments(seen, asked)
}

export const cases = defineCases([
  watched(
    {
      id: 'rpc.selectors.watched-forward.01',
      title:
        'latest, safe and finalized never go back while the chain is left alone, nor past each other',
      area: 'selectors',
      rules: ['RPC-SEL-02', 'RPC-SEL-04', 'RPC-SEL-05', 'RPC-SEL-10'],
      rationale:
        'An answer that is older than one given before is of a node that serves stale heads.',
    },
    async ({ seen }) => {
      const heads = seen.inCalm('eth_getBlockByNumber').flatMap((answer) => {
        const place = TAGS.indexOf(String(answer.params[0]))
        const { number } = (answer.result ?? {}) as JsonObject
        return place >= 0 && typeof number === 'string'
          ? [{ ...answer, place, number: BigInt(number) }]
          : []
      })
      const byAnswer = heads.toSorted((a, b) => a.answered - b.answered)
      // The highest that a tag or one behind it had by then: what is final is safe, and so is sealed.
      const highest = TAGS.map(() => -1n)
      let next = 0
      await judgeEach(
        heads.toSorted((a, b) => a.asked - b.asked),
        'answers by tag',
        (head) => {
          for (; byAnswer[next] && byAnswer[next]!.answered < head.asked; next++) {
            const { place, number } = byAnswer[next]!
            for (let above = place; above < TAGS.length; above++)
              if (number > highest[above]!) highest[above] = number
          }
          const least = highest[head.place]!
          expectThat(
            head.number >= least,
            `${least} or more`,
            head.number,
            `number of ${head.params[0]}`,
          )
        },
      )
    },
  ),
  watched(
    {
      id: 'rpc.pending.watched-on-latest.01',
      title: 'The pending block stands on the newest sealed one at any moment',
      area: 'pending',
      rules: ['RPC-PEND-11', 'RPC-PEND-13', 'RPC-SEL-09'],
      rationale:
        'The old pending block after its seal shows transactions as pending that are sealed.',
    },
    async (t) => {
      const { receipts = [] } = await t.scene(recentBlocks)
      const numbers = new Map(seenSealed(t.seen).map(({ block }) => [block.hash, block.number]))
      const answers = t.seen.inCalm('eth_getBlockByNumber').filter(({ result }) => result)
      const latest = looksAround(
        answers.filter(({ params }) => params[0] === 'latest').map(toNumbered),
      )
      const pending = answers.filter(({ params }) => params[0] === 'pending').map(toSeenBlock)
      // From the first of the newest blocks on every parent is known; before that, some are.
      const first = receipts[0] && expectQuantity(receipts[0].block.timestamp, 'timestamp')
      const isKnown = ({ block }: SeenBlock) =>
        numbers.has(block.parentHash) ||
        (first !== undefined && expectQuantity(block.timestamp, 'timestamp') > first)
      await judgeEach(pending.filter(isKnown), 'pending blocks', ({ block, asked, answered }) => {
        expectThat(
          numbers.has(block.parentHash),
          'the hash of a sealed block',
          block.parentHash,
          'parentHash',
        )
        const parent = expectQuantity(numbers.get(block.parentHash), 'number of the parent')
        const older = latest.before(asked)
        const newer = latest.after(answered)
        if (older)
          expectThat(
            parent >= older.number,
            `${older.number} or more`,
            parent,
            'number of the parent',
          )
        if (newer)
          expectThat(
            parent <= newer.number,
            `${newer.number} or less`,
            parent,
            'number of the parent',
          )
      })
    },
  ),
  watched(
    {
      id: 'rpc.pending.watched-back.01',
      title: 'No answer about the pending block has less of it than one that had come before',
      area: 'pending',
      rules: ['RPC-PEND-05', 'RPC-PEND-06'],
      rationale:
        'Behind one URL there may be several nodes: who asks twice must not see a transaction go.',
    },
    async ({ seen }) => {
      const looks = pendingLooks(seen)
      const around = new Map(
        Object.entries(Object.groupBy(looks, ({ block }) => String(block.parentHash))).map(
          ([parent, ofParent = []]) => [parent, looksAround(ofParent, { before: longer })],
        ),
      )
      await judgeEach(looks, 'pending blocks', ({ block, hashes, asked }) => {
        const { length: least } = around.get(String(block.parentHash))?.before(asked)?.hashes ?? []
        expectThat(hashes.length >= least, `${least} or more`, hashes.length, 'transactions listed')
      })
    },
  ),
  watched(
    {
      id: 'rpc.getlogs.watched-pending.01',
      title:
        'The pending logs are those of the transactions that the pending block lists, at any moment',
      area: 'logs',
      rules: ['RPC-GETLOGS-02', 'RPC-GETLOGS-03', 'RPC-LOG-08', 'RPC-LOG-09', 'RPC-LOG-11'],
      rationale:
        'Held against the block before and after each answer, and the receipts once it is sealed.',
    },
    async (t) => {
      const { receipts = notApplicable('The node does not serve eth_getBlockReceipts.') } =
        await t.scene(recentBlocks)
      const known = logsByParent(receipts)
      const moments = momentsOf(t, 'eth_getLogs', [PENDING_LOGS]).filter(({ before }) =>
        known.has(before.block.parentHash),
      )
      await judgeEach(moments, 'answers to eth_getLogs at pending', ({ result, before, after }) => {
        const logs = known.get(before.block.parentHash) ?? []
        const found = toLogs(result).map(contentOf)
        const least = logs.filter((log) => before.hashes.includes(log.transactionHash)).length
        const all = logs.filter((log) => after.hashes.includes(log.transactionHash)).map(contentOf)
        expectEqual(found, all.slice(0, Math.max(least, found.length)), 'pending logs')
      })
    },
  ),
  watched(
    {
      id: 'rpc.getlogs.watched-place.01',
      title:
        'A pre-confirmed log has what its receipt has, and names height and time of the block that it is sealed in',
      area: 'logs',
      rules: [
        ...['RPC-LOG-02', 'RPC-LOG-03', 'RPC-LOG-05', 'RPC-LOG-06', 'RPC-LOG-07', 'RPC-LOG-08'],
        ...['RPC-LOG-12', 'RPC-GETLOGS-02'],
      ],
      // What may be null while it is pending is OPEN-09; another height or time it may not have.
      rationale: 'Whoever follows blocks by their logs waits for a block that has none.',
    },
    async (t) => {
      const { receipts = notApplicable('The node does not serve eth_getBlockReceipts.') } =
        await t.scene(recentBlocks)
      const { logs } = indexLogs(receipts)
      const sealed = new Map(logs.map((log) => [log.transactionHash, log]))
      const byPlace = new Map(
        logs.map((log) => [`${log.transactionHash} ${log.logIndex}`, log] as const),
      )
      const answers = t.seen.inCalm('eth_getLogs').filter(({ params }) => isIntoPending(params[0]))
      await judgeEach(answers, 'answers with pending logs', ({ result }) => {
        for (const log of toLogs(result)) {
          expectEqual(log.removed, false, 'log.removed')
          expectAddress(log.address, 'log.address')
          const same = byPlace.get(`${log.transactionHash} ${log.logIndex}`)
          if (same) expectEqual(contentOf(log), contentOf(same), 'log')
          const known = sealed.get(log.transactionHash)
          for (const member of ['blockNumber', 'blockTimestamp']) {
            const isOpen = log[member] === null || log[member] === undefined
            if (known && !isOpen) expectEqual(log[member], known[member], `log.${member}`)
          }
        }
      })
    },
  ),
  watched(
    {
      id: 'rpc.getlogs.watched-left.01',
      title:
        'Once a block is seen sealed, no answer from pending to pending has logs of it, at any moment',
      area: 'logs',
      rules: ['RPC-GETLOGS-03', 'RPC-FLT-04'],
      rationale:
        'Also between two looks of which one is of the block before: what is sealed is not pending.',
    },
    async (t) => {
      const { receipts = notApplicable('The node does not serve eth_getBlockReceipts.') } =
        await t.scene(recentBlocks)
      const heights = new Map(
        indexLogs(receipts).logs.map((log) => [
          log.transactionHash,
          BigInt(String(log.blockNumber)),
        ]),
      )
      const looks = t.seen
        .inCalm('eth_getBlockByNumber')
        .filter(({ params, result }) => params[0] === 'latest' && result)
      const latest = looksAround(looks.map(toNumbered))
      const answers = t.seen.inCalm('eth_getLogs').filter(({ params }) => isAllPending(params[0]))
      await judgeEach(answers, 'answers with pending logs', ({ result, asked }) => {
        const newest = latest.before(asked)?.number ?? -1n
        for (const { transactionHash } of toLogs(result)) {
          const height = heights.get(transactionHash)
          if (height === undefined) continue
          const at = `height of pending log of ${transactionHash}`
          expectThat(height > newest, `more than ${newest}, which was seen sealed`, height, at)
        }
      })
    },
  ),
  watched(
    {
      id: 'rpc.getlogs.watched-once.01',
      title: 'No answer of the run that reaches into the pending block has a log twice',
      area: 'logs',
      rules: ['RPC-GETLOGS-01', 'RPC-FLT-05'],
      rationale:
        'A log at the seam of sealed and pending is one log; counted twice it is paid twice.',
    },
    async (t) => {
      // Its reads have a range from the block before to the pending one, both with a log.
      await t.scene(preconfirmedWindow)
      const answers = t.seen.inCalm('eth_getLogs').filter(({ params }) => isIntoPending(params[0]))
      await judgeEach(answers, 'answers with pending logs', ({ result }) => {
        const places = toLogs(result).map(
          ({ transactionHash, logIndex }) => `${transactionHash} ${logIndex}`,
        )
        const twice = places.filter((place, at) => places.indexOf(place) !== at)
        expectEqual(twice, [], 'logs that are there twice')
      })
    },
  ),
  watched(
    {
      id: 'rpc.getlogs.watched-filters.01',
      title:
        'Every filter from pending to pending finds those of the pending logs that fit, at any moment',
      area: 'logs',
      rules: [
        'RPC-GETLOGS-02',
        'RPC-GETLOGS-03',
        'RPC-FLT-07',
        'RPC-FLT-08',
        'RPC-FLT-10',
        'RPC-FLT-11',
        'RPC-FLT-12',
        'RPC-FLT-13',
        'RPC-FLT-19',
      ],
      rationale:
        'The gate answers each filter itself, from the receipts of what the block listed before and after.',
    },
    async (t) => {
      const { receipts = notApplicable('The node does not serve eth_getBlockReceipts.') } =
        await t.scene(recentBlocks)
      const known = logsByParent(receipts)
      const asked = t.seen.inCalm('eth_getLogs').filter(({ params }) => isOfPending(params[0]))
      const moments = pendingMoments(t.seen, asked).flatMap((moment) => {
        const fits = criteriaOf(moment.params[0] as JsonObject)
        return fits && known.has(moment.before.block.parentHash) ? [{ ...moment, fits }] : []
      })
      await judgeEach(moments, 'filters at pending', ({ result, before, after, fits }) => {
        const logs = known.get(before.block.parentHash) ?? []
        const fitting = (listed: readonly unknown[]) =>
          logs.filter((log) => listed.includes(log.transactionHash) && fits(log)).map(contentOf)
        const found = toLogs(result).map(contentOf)
        const least = fitting(before.hashes).length
        const all = fitting(after.hashes)
        expectEqual(found, all.slice(0, Math.max(least, found.length)), 'pending logs that fit')
      })
    },
  ),
  watched(
    {
      id: 'rpc.pending.watched-proof.01',
      title:
        'stateRoot and withdrawalsRoot of the pending block are those of its proofs, at any moment',
      area: 'pending',
      rules: ['RPC-PEND-04'],
      rationale:
        'A proof begins with the node whose hash is the root; looked at where the block before and after is one.',
    },
    async (t) => {
      const [method, question] = PENDING_PROOF
      const moments = momentsOf(t, method, question).filter(({ before, after }) =>
        isDeepStrictEqual(before.hashes, after.hashes),
      )
      if (moments.length === 0) notApplicable('The node proves nothing at pending.')
      await judgeEach(moments, 'proofs at pending', ({ result, before }) => {
        const { accountProof, storageHash } = result as JsonObject
        const [root] = expectArray(accountProof, 'accountProof')
        expectEqual(
          keccak256(expectBytes(root, 'accountProof[0]')),
          before.block.stateRoot,
          'stateRoot',
        )
        // Before Isthmus it is the root of a list of withdrawals, which is empty.
        if (/^0x01/.test(String(before.block.extraData)))
          expectEqual(storageHash, before.block.withdrawalsRoot, 'withdrawalsRoot')
      })
    },
  ),
  ofOrigin(
    {
      id: 'rpc.call.watched-pending.01',
      title: 'eth_call at pending reads what the pending block has written, at any moment',
      area: 'call',
      rules: ['RPC-CALL-19'],
      rationale: 'Each block writes its L1 origin first; the sealed one tells what that was.',
    },
    'eth_call',
    (result) => result,
  ),
  ofOrigin(
    {
      id: 'rpc.storage.watched-pending.01',
      title: 'eth_getStorageAt at pending reads what the pending block has written, at any moment',
      area: 'storage',
      rules: ['RPC-STOR-08'],
      rationale: 'Each block writes its L1 origin first; the sealed one tells what that was.',
      profiles: ['spec'],
    },
    'eth_getStorageAt',
    (result) => result,
  ),
  ofOrigin(
    {
      id: 'rpc.simulate.watched-pending.01',
      title:
        'eth_simulateV1 at pending begins from what the pending block has written, at any moment',
      area: 'simulate',
      rules: ['RPC-SIM-03'],
      rationale: 'Each block writes its L1 origin first; the sealed one tells what that was.',
    },
    'eth_simulateV1',
    (result) => {
      const [block] = Array.isArray(result) ? (result as JsonObject[]) : []
      const [call] = (block?.calls ?? []) as JsonObject[]
      return call?.returnData
    },
  ),
])

/** The logs of sealed blocks, by what the block under construction stood on. */
function logsByParent(receipts: readonly BlockReceipts[]): Map<unknown, readonly JsonObject[]> {
  return new Map(receipts.map((each) => [each.block.parentHash, indexLogs([each]).logs]))
}

/** Both bounds are the pending block. */
function isAllPending(filter: unknown): boolean {
  const { fromBlock, toBlock } = Object(filter) as JsonObject
  return fromBlock === 'pending' && toBlock === 'pending'
}

/** Likewise, and criteria were given. */
function isOfPending(filter: unknown): boolean {
  return isAllPending(filter) && Object.keys(Object(filter)).length > 2
}

function toNumbered({ result, asked, answered }: SeenAnswer) {
  return { asked, answered, number: expectQuantity((result as JsonObject).number, 'latest.number') }
}
