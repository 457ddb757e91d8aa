import type { LoggedEvent, Violation } from '../checkers/checker.ts'
import { eventsOf } from './events-of.ts'
import { PART_NAMES, type PartName } from './part-name.ts'
import { derivedOf } from './safe-is-on-l1.ts'

/** Whose output each sentence is about, where that needs no look at the log. */
const BY_CHECKER: Readonly<Record<string, PartName>> = {
  'blocks-are-due': 'sequencer',
  'gas-follows': 'sequencer',
  'blocks-are-executed': 'sequencer',
  'blocks-are-whole': 'sequencer',
  'deposits-come-once': 'sequencer',
  'withdrawals-are-paid-once': 'L1',
  'transactions-come-once': 'sequencer',
  'preconfirmed-is-sealed': 'sequencer',
  'pending-goes-forward': 'sequencer',
  'accepted-comes': 'mempool',
  'invalid-is-refused': 'mempool',
  'valid-is-taken': 'mempool',
  'tips-come-first': 'mempool',
  'pages-are-true': 'node',
  'values-are-true': 'node',
  'answers-are-true': 'node',
  'facts-are-true': 'node',
  'logs-are-true': 'node',
  'one-snapshot': 'node',
  'logs-come-once': 'node',
  'streams-are-whole': 'node',
  'safe-is-on-l1': 'derivation',
  'safe-is-sealed': 'derivation',
  'heads-go-forward': 'safe head',
  'heads-are-one-chain': 'safe head',
  'safe-comes-soon': 'safe head',
  'batches-come-soon': 'batcher',
  'batches-come-once': 'batcher',
  'turns-come': 'mempool',
  'flashblocks-come': 'sequencer',
  'drops-are-known': 'mempool',
  'final-is-final': 'safe head',
  'no-false-signature': 'enclave',
  'fails-closed': 'prover host',
  'proofs-are-whole': 'prover host',
  'proofs-are-of-the-chain': 'prover host',
  'health-latches': 'prover host',
  'codes-last': 'builder codes',
  'codes-are-spelled': 'builder codes',
  'codes-are-made-once': 'builder codes',
  'odd-registrations-are-refused': 'builder codes',
  'games-end-in-truth': 'challenger',
  'games-are-of-the-chain': 'proposer',
  'signers-are-right': 'registrar',
}

/** Who answers to what clients try once the weather is over. */
const BY_PROBE: Readonly<Record<string, PartName>> = {
  'a read': 'node',
  'a builder code': 'builder codes',
  'every builder code': 'builder codes',
  'a deposit': 'sequencer',
  'a proof': 'prover host',
  'a long call': 'node',
  'a game': 'challenger',
  'the next game': 'proposer',
  'a payment': 'node',
  'the signers': 'registrar',
}

const BY_SERVICE: Readonly<Record<string, PartName>> = {
  l1: 'L1',
  l2: 'node',
  rollup: 'node',
  node: 'node',
  host: 'prover host',
  api: 'builder codes',
}

/** Who made what the model was first contradicted by: what comes later may be of its making, too. */
export function guiltyPart(
  violations: readonly Violation[],
  events: readonly LoggedEvent[],
): PartName | undefined {
  const [first] = violations
  if (!first) return undefined
  const part = byLog(first, events) ?? BY_CHECKER[first.checker]
  const atOnce = violations.filter(({ t }) => t === first.t)
  if (atOnce.some(isMistold) || (atOnce.some(countsGas) && !atOnce.some(isOfState))) return 'node'
  if (NEEDS_SIGNERS.test(first.problem) && violations.some(isUnregistered)) return 'registrar'
  // Answers that are true to what was made wrongly are right.
  const isMadeWrongly =
    isOfState(first) || (OF_STATE.has(first.checker) && violations.some(isOfState))
  return isMadeWrongly ? 'sequencer' : part
}

/** Nobody proves, and so nobody disputes, before the keys of enclaves are registered. */
const NEEDS_SIGNERS = /^(a proof|a game|the next game) did not work again|keeps its proof\.$/

const isUnregistered = ({ problem }: Violation) =>
  problem.startsWith('the signers did not work again') && problem.includes('L1 has registered')

/** What clients are told of a block before it is sealed, and of what it has made of accounts. */
const OF_STATE = new Set(['values-are-true', 'one-snapshot'])

/** What the hash of a block commits to: its accounts, by their proofs, and its receipts. */
const isOfState = ({ checker, problem }: Violation) =>
  (checker === 'answers-are-true' && / shows (nonce )?\d+/.test(problem)) ||
  (checker === 'blocks-are-whole' && problem.includes(' has receiptsRoot '))

/** In the root of receipts it is what it is in them. */
const countsGas = ({ checker, problem }: Violation) =>
  checker === 'blocks-are-executed' && / counts \d+ gas /.test(problem)

/** Who tells a header that is not the hash's own, or what of a receipt is in no root, has not told what was made. */
const isMistold = ({ checker, problem }: Violation) =>
  (checker === 'blocks-are-whole' && problem.includes('is told as')) ||
  (checker === 'blocks-are-executed' && / (counts its logs|names its contract) as /.test(problem))

function byLog(
  { checker, t, problem }: Violation,
  events: readonly LoggedEvent[],
): PartName | undefined {
  if (checker === 'works-again') {
    const probe = events.find(
      ({ what, data }) => what === 'probe.done' && problem.startsWith(`${data.probe} `),
    )
    // A proof is of a safe block.
    const isOfSafe =
      ['the safe head', 'a safe transaction'].includes(String(probe?.data.probe)) ||
      problem.includes('Nothing is safe')
    if (isOfSafe) return standsStill(events)
    if (probe?.data.probe === 'a transaction') return grows(events) ? 'mempool' : 'sequencer'
    return BY_PROBE[String(probe?.data.probe)]
  }
  if (checker === 'requests-end') {
    const [, service = ''] = / to (\w+) /.exec(problem) ?? []
    return BY_SERVICE[service]
  }
  if (checker === 'nothing-breaks-inside') {
    const [who = ''] = problem.split(' ')
    return PART_NAMES.find((name) => name === who) ?? BY_SERVICE[who]
  }
  if (checker === 'damage-is-named')
    return problem.startsWith('node') ? 'kept chain' : 'builder codes'
  if (checker === 'signers-are-right' && problem.startsWith('The host')) return 'prover host'
  if (checker === 'pages-are-true' && problem.startsWith('The pool ')) return 'mempool'
  if (checker === 'safe-is-on-l1' && problem.includes(' is final')) return 'safe head'
  // Who is posted what nobody sealed derives it rightly.
  if (checker === 'safe-is-on-l1' && derivedOf(events).at(-1)?.unknown) return 'batcher'
  if (checker === 'accepted-comes' && isNotPutBack(problem, events)) return 'sequencer'
  const hasDied = events.some(
    (event) => event.who === 'node' && event.what === 'ended' && event.t < t,
  )
  return checker === 'blocks-follow' ? (hasDied ? 'kept chain' : 'sequencer') : undefined
}

/** What stood in a block that is none any more, and did not come into the pool again. */
function isNotPutBack(problem: string, events: readonly LoggedEvent[]): boolean {
  const [hash] = /0x[0-9a-f]{64}/.exec(problem) ?? []
  const last = events.findLast(
    ({ who, data: { hash: own, transactions } }) =>
      who === 'node' && (own === hash || (transactions as unknown[] | undefined)?.includes(hash)),
  )
  return last?.what === 'dropped' || last?.what === 'sealed'
}

/** Whether blocks are made at the end of a log. */
function grows(events: readonly LoggedEvent[]): boolean {
  const heads = eventsOf(events, 'l2.head')
  const over = events.find(({ what }) => what === 'weather.over')?.t ?? 0
  const before = heads.findLast(({ t }) => t <= over)
  return (heads.at(-1)?.number ?? 0) > (before?.number ?? 0)
}

/** What is posted and not safe is the derivation's fault; what is not posted is the batcher's, or nobody made it. */
function standsStill(events: readonly LoggedEvent[]): PartName {
  if (!grows(events)) return 'sequencer'
  const safe = Number(events.findLast(({ what }) => what === 'safe.seen')?.data.number ?? 0)
  const derived = derivedOf(events).at(-1)
  // Of what is safe already nobody posts anything.
  if (derived && !derived.unknown && safe > (derived.blocks.at(-1)?.number ?? 0)) return 'safe head'
  return (derived?.blocks.at(-1)?.number ?? 0) > safe + 1 || derived?.unknown
    ? 'derivation'
    : 'batcher'
}
