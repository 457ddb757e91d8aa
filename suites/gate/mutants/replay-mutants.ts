import type { Mutant, MutantHooks, RpcCall } from '#mocks/index'
import { CaseFailure } from '../conformance/case-failure.ts'
import type { CaseContext, ConformanceCase } from '../conformance/conformance-case.ts'
import { type MutantOutcome, selectCases } from '../conformance/index.ts'
import { KnownAnswers } from '../conformance/seen/known-answers.ts'
import { looksAround } from '../conformance/seen/looks-around.ts'
import { type SeenAnswer, SeenAnswers } from '../conformance/seen/seen-answers.ts'
import { KNOWN_QUESTIONS } from '../conformance/watch/known-questions.ts'
import { type JsonRpcClient, resultOf } from '../conformance/wire/json-rpc-client.ts'

/** Targets whose answers a run keeps. */
export const REPLAYED: readonly Mutant['target'][] = ['rpc', 'ws', 'prover']
const MAX_MINUTES = 120
/** How often each known question is asked of a mutant. */
const TIMES = 3

/**
 * A case that fails nothing: when all others have been judged, it puts each mutant before the answers that the run
 * has seen, lets the cases judge them that judge all answers, and asks the known questions through it. That takes a
 * second, where a run of its own takes ten. What only a look of its own would notice, it does not see: the share that
 * it finds is the least.
 */
export function replayMutants(
  mutants: readonly Mutant[],
  onOutcome: (outcome: MutantOutcome) => void,
): ConformanceCase {
  return {
    id: 'mutants.replay.all.01',
    title: 'What was seen is judged again, with a mistake in it',
    area: 'envelope',
    rules: ['RPC-ENV-08'],
    needs: ['rpc', 'driver'],
    rationale: 'It plays mutants, and says nothing of the target.',
    judgesAll: true,
    timeout: MAX_MINUTES * 60_000,
    async run(t) {
      for (const mutant of mutants) onOutcome(await replay(mutant, t))
    },
  }
}

async function replay(mutant: Mutant, t: CaseContext): Promise<MutantOutcome> {
  const moment = { now: 0, head: undefined as unknown, underWay: 1 }
  let changes = 0
  const hooks = mutant.apply({
    clock: { ...t.clock, now: () => moment.now },
    ask: async () => moment.head,
    underWay: () => moment.underWay,
    noteChange: () => {
      changes += 1
    },
  })
  const changed = Object.create(t, {
    ...(await changeSeen(mutant, hooks, moment, t)),
    rpc: { value: changeAnswers(t.rpc, hooks) },
    note: { value: () => {} },
  }) as CaseContext
  const by = changes > 0 ? await firstKiller(mutant, changed) : undefined
  // What is asked by the known questions alone may come about here first.
  const last = by ?? (mutant.target === 'rpc' ? await askKnown(mutant, changed) : undefined)
  const { id, rule, area, says } = mutant
  const killer = selectCases().find((test) => test.id === last)
  const ofRule = killer?.rules.includes(rule) ? 'killed' : 'killed-by-others'
  return {
    ...{ id, rule, area, says, isGenerated: true, unjudged: [] },
    verdict: last ? ofRule : changes > 0 ? 'survived' : 'not-met',
    killers: last ? [last] : [],
  }
}

/** The answers and messages of the run with the mistake in them, as the context has them. */
async function changeSeen(
  { target }: Mutant,
  hooks: MutantHooks,
  moment: { now: number; head: unknown; underWay: number },
  t: CaseContext,
): Promise<PropertyDescriptorMap> {
  if (target === 'ws') {
    const streams = t.watched.streams.map((each) => ({ ...each, messages: [...each.messages] }))
    const inTime = streams
      .flatMap(({ name, messages }) =>
        messages.map((message, at) => ({ name, messages, message, at })),
      )
      .toSorted((a, b) => a.message.at - b.message.at)
    for (const { name, messages, message, at } of inTime) {
      moment.now = message.at
      const params = { subscription: name, result: message.log }
      const pushed = hooks.message?.({ method: 'eth_subscription', params }, messages)?.message
      const { result } = (pushed?.params ?? params) as typeof params
      messages[at] = { ...message, log: result }
    }
    return { watched: { value: { ...t.watched, streams } } }
  }
  const [name, real] = target === 'prover' ? ['seenProver', t.seenProver] : ['seen', t.seen]
  const heads = t.seen
    .to('eth_getBlockByNumber')
    .filter(({ params, result }) => params[0] === 'latest' && Object(result) === result)
  const headAt = looksAround(heads)
  const seen = new ChangedAnswers(real)
  for (const method of real.methods()) {
    const answers = real.to(method)
    const changed: SeenAnswer[] = []
    for (const [index, answer] of answers.entries()) {
      const { params, result, answered, asked } = answer
      moment.now = answered
      moment.head = numberOf(headAt.before(answered)?.result)
      moment.underWay = (answers[index - 1]?.answered ?? 0) > asked ? 2 : 1
      const response = await hooks.response?.({ result }, { method, params } as RpcCall)
      const kept = response && !('result' in response) ? seen.errors : changed
      kept.push(response ? { ...answer, result: response.result, error: response.error } : answer)
    }
    seen.changed.set(method, changed)
  }
  return { [name as string]: { value: seen } }
}

const numberOf = (block: unknown) => (Object(block) as { number?: unknown }).number

/** What a run has seen, with other results. */
class ChangedAnswers extends SeenAnswers {
  readonly changed = new Map<string, readonly SeenAnswer[]>()
  /** Results that the mistake made errors of. */
  readonly errors: SeenAnswer[] = []
  readonly #real: SeenAnswers

  constructor(real: SeenAnswers) {
    super(undefined)
    this.#real = real
    this.calmUntil = real.calmUntil
    this.envelopes.push(...real.envelopes)
  }

  override to(method: string): SeenAnswer[] {
    return [...(this.changed.get(method) ?? [])]
  }

  override errorsTo(method: string): SeenAnswer[] {
    return [...this.#real.errorsTo(method), ...this.errors.filter((each) => each.method === method)]
  }
}

/** A client through which the mistake is made in what is asked now. */
function changeAnswers(rpc: JsonRpcClient, hooks: MutantHooks): JsonRpcClient {
  const client: JsonRpcClient = {
    ...rpc,
    async call(method, params = [], id) {
      const { body, http } = await rpc.call(method, params, id)
      const response = await hooks.response?.(body, { method, params } as RpcCall)
      const text = JSON.stringify(response ?? body)
      const json = JSON.parse(text)
      return { body: json, http: { ...http, text, json } }
    },
    async result(method, params = []) {
      return resultOf(await client.call(method, params), method)
    },
  }
  return client
}

/** The first case that fails, those of the broken rule before others. */
async function firstKiller({ rule, area }: Mutant, t: CaseContext): Promise<string | undefined> {
  const rank = (test: ConformanceCase) =>
    test.rules.includes(rule) ? 0 : test.area === area ? 1 : 2
  const judging = selectCases()
    .filter(({ judgesAll, asks, level = 'must' }) => judgesAll && !asks && level === 'must')
    .filter((test) => rank(test) < 2 || BESIDE.includes(test.area))
    .toSorted((a, b) => rank(a) - rank(b))
  for (const test of judging) if (await fails(() => test.run(t))) return test.id
  return undefined
}

/** Areas whose cases look at blocks, logs and tags, whichever method had told them. */
const BESIDE = ['logs', 'selectors', 'pending']

/** Asks each known question of the area, and says which case would fail by that. */
async function askKnown({ area }: Mutant, t: CaseContext): Promise<string | undefined> {
  for (const { id, asks } of selectCases(area)) {
    if (!asks || KNOWN_QUESTIONS[asks].target !== 'rpc') continue
    const known = new KnownAnswers()
    const questions = await KNOWN_QUESTIONS[asks].make(t)
    for (const question of Array.from({ length: TIMES }).flatMap(() => questions)) {
      const { judge, exchange } = await question.ask()
      known.take(asks, judge, { ...exchange, at: 0, duration: 0 })
    }
    if (known.of(asks).failure) return id
  }
  return undefined
}

async function fails(judge: () => Promise<void>): Promise<boolean> {
  try {
    await judge()
    return false
  } catch (error) {
    return error instanceof CaseFailure
  }
}
