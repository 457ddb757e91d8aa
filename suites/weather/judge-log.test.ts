import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from './checkers/checker.ts'
import { CHECKERS, judgeLog, parseLog } from './judge-log.ts'
import { CROSSING_LOGS } from './model/crossing-logs.ts'
import { FACT_LOGS } from './model/fact-logs.ts'
import { MODEL_LOGS } from './model/model-logs.ts'
import { PAGE_LOGS } from './model/page-logs.ts'
import { SIGNER_LOGS } from './model/signer-logs.ts'
import { WAY_LOGS } from './model/way-logs.ts'
import { WITHDRAWAL_LOGS } from './model/withdrawal-logs.ts'

/** A log from lines `t who what {json}`, in the order of time. */
function log(...lines: string[]): LoggedEvent[] {
  const events = lines.map((line) => {
    const [, t, who, what, data] = /^(\d+) (\S+) (\S+) ?(.*)$/.exec(line)!
    return { t: Number(t), who: who!, what: what!, data: data ? JSON.parse(data) : {} }
  })
  return events.sort((one, other) => one.t - other.t)
}

const asked = (id: number, isTrue: boolean, t = 100) =>
  `${t} c proof.asked {"id":${id},"claimIsTrue":${isTrue},"block":5,"root":"0xaa"}`
const made = (id: number, t = 200, root = '0xaa') =>
  `${t} c proof.made {"id":${id},"block":5,"root":"${root}"}`
const on = (t: number, target: string, fault: string) =>
  `${t} ${target} fault.on {"id":1,"fault":"${fault}"}`
const off = (t: number, target: string) => `${t} ${target} fault.off {"id":1}`
const code = (t: number, wallet: string, text: string, isNew = false) =>
  `${t} c code.told {"wallet":"${wallet}","code":"${text}","isNew":${isNew}}`
const codeAsked = (wallet: string) => `1 c code.asked {"wallet":"${wallet}"}`
const refusedBy = (about: string, status: number, more: object = {}) =>
  `1 c registration.refused ${JSON.stringify({ about, status, code: 'NO_CODE', message: 'It is none.', ...more })}`
const spelled = (code: string, owner: string) =>
  `1 c code.told ${JSON.stringify({ wallet: owner.toLowerCase(), code, owner })}`
const pending = (t: number, ...hashes: string[]) =>
  `${t} o pending.seen {"parent":"p","root":"of ${hashes}","transactions":${JSON.stringify(hashes)}}`
const sealed = (t: number, number: number, hash: string, parent: string, ...hashes: string[]) =>
  `${t} o block.seen ${JSON.stringify({ number, hash, parent, transactions: hashes })}`
const receipts = (blocks: number[], indices: number[], cumulative: number[]) =>
  `10 o receipts.seen ${JSON.stringify({ blocks, indices, cumulative })}`
const sent = (t: number, id = 1) =>
  `${t} c request.sent {"id":${id},"to":"l2","method":"eth_call","link":"link:client-l2","limit":1000}`
const done = (t: number, outcome: string, message = '') =>
  `${t} c request.done {"id":1,"outcome":"${outcome}","message":"${message}"}`
const tookBack = (t: number, hash: string) => `${t} node reorg {"removed":["${hash}"]}`
const broken = (t: number) => `${t} node internal.error {"method":"eth_call","why":"TypeError"}`
const unstarted = (t: number, who: string, code: string) =>
  `${t} ${who} start.failed {"code":"${code}","why":"l2.sqlite is not what was written there."}`
const health = (t: number, isWell: boolean) => `${t} o health.seen {"isWell":${isWell}}`
/** A block is safe, the node dies, and the next one has another in its place. */
const leftAtStart = (...meanwhile: string[]) => [
  ...[sealed(1, 5, 'h5', 'h4'), '1 node sealed {"number":5,"hash":"h5"}'],
  ...['2 o safe.seen {"number":5,"hash":"h5"}', ...meanwhile, '4 node ended {}'],
  ...['5 node sealed {"number":5,"hash":"z"}', sealed(6, 5, 'z', 'h4')],
]
const opened = (t: number, after = 4) => `${t} s.1 subscription.opened {"after":${after}}`
const final = (t: number, number: number, hash: string) =>
  `${t} o finalized.seen ${JSON.stringify({ number, hash })}`
const delivered = (t: number, index: number, removed = false) =>
  `${t} s.1 log.delivered {"block":"h5","index":${index},"removed":${removed}}`
/** Somebody hears of a log, and that it is gone. */
const takenBack = [
  ...[opened(1), sealed(9_000, 5, 'h5', 'p'), delivered(9_000, 0)],
  ...['9000 o logs.seen {"block":"h5","indices":[0]}', tookBack(20_000, 'h5')],
  delivered(20_000, 0, true),
]
/** A false one, unless it says otherwise. */
const game = (t: number, data: object) =>
  `${t} o game ${JSON.stringify({ address: 'g', claimIsTrue: false, status: 'IN_PROGRESS', ...data })}`
const forged = (isRefutable: boolean) =>
  `1 liar game.forged ${JSON.stringify({ address: 'g', isRefutable })}`
const over = '900 weather weather.over'
const end = '90000 weather end'

const ENCLAVE = 'link:host-enclave.16'
const garbled = [on(1, ENCLAVE, 'corrupt'), off(2, ENCLAVE)]
const noGame = (t: number) => `${t} p probe.done {"probe":"the next game","isWell":false}`

const LOGS: Record<string, { good: string[][]; bad: string[][] }> = {
  ...MODEL_LOGS,
  ...PAGE_LOGS,
  ...FACT_LOGS,
  ...SIGNER_LOGS,
  ...WAY_LOGS,
  ...WITHDRAWAL_LOGS,
  'no-false-signature': {
    good: [[asked(1, true), made(1)], [asked(2, false)]],
    bad: [
      [asked(2, false), made(2)],
      ['1 c proof.asked {"id":3,"claimIsTrue":false,"lie":"one value less"}', made(3)],
    ],
  },
  'fails-closed': {
    good: [
      [
        on(50, 'link:host-registry', 'down'),
        asked(1, true),
        off(150, 'link:host-registry'),
        made(1),
      ],
      [on(50, 'link:host-registry', 'latency'), asked(1, true), made(1)],
    ],
    bad: [
      [on(50, 'registry:l1', 'silent'), asked(1, true), made(1)],
      [on(50, 'registry:l1', 'silent'), '60 host started {}', health(70, true)],
    ],
  },
  'proofs-are-whole': {
    good: [
      [asked(1, true), made(1)],
      [
        ...[on(50, ENCLAVE, 'corrupt'), off(150, ENCLAVE)],
        ...[asked(1, true), made(1, 200, '0xbb')],
      ],
    ],
    bad: [[asked(1, true), made(1, 200, '0xbb')], [made(7)]],
  },
  'codes-last': {
    good: [[code(1, 'a', 'x', true), code(2, 'a', 'x'), code(3, 'b', 'y', true)]],
    bad: [
      [code(1, 'a', 'x', true), code(2, 'a', 'y')],
      [code(1, 'a', 'x', true), code(2, 'b', 'x', true)],
    ],
  },
  'codes-are-spelled': {
    good: [[spelled('bc_a1b2c3d4', '0x000000000000000000000000000000000000000A')]],
    bad: [
      [spelled('bc_a1b2c3d', '0x000000000000000000000000000000000000000A')],
      [spelled('bc_a1b2c3d4', '0x000000000000000000000000000000000000000a')],
    ],
  },
  'codes-are-made-once': {
    good: [
      [code(1, 'a', 'x', true), code(2, 'a', 'x')],
      [codeAsked('a'), code(1, 'a', 'x', true)],
      // What nobody heard may have said it.
      [codeAsked('a'), codeAsked('a'), code(1, 'a', 'x')],
    ],
    bad: [
      [code(1, 'a', 'x', true), code(2, 'a', 'x', true)],
      [codeAsked('a'), code(1, 'a', 'x')],
    ],
  },
  'odd-registrations-are-refused': {
    good: [[refusedBy('plain text', 415)], [refusedBy('no JSON', 400)]],
    bad: [
      [refusedBy('plain text', 400)],
      [refusedBy('no address', 201)],
      [refusedBy('no JSON', 400, { code: undefined })],
      [refusedBy('no JSON', 400, { message: '' })],
    ],
  },
  'preconfirmed-is-sealed': {
    good: [
      [pending(1, 'a', 'b'), sealed(2, 5, 'h5', 'p', 'a', 'b', 'c')],
      [pending(1, 'a', 'b'), sealed(2, 5, 'h5', 'q', 'b')],
      [pending(1, 'a', 'b'), '1 n dropped {"hash":"b"}', sealed(2, 5, 'h5', 'p', 'a')],
      [pending(1, 'a', 'b'), '1 node dropped {"transactions":["b"]}', sealed(2, 5, 'h5', 'p', 'a')],
      // The same deposit was in a block that was given up.
      [
        pending(1, 'a', 'b', 'c'),
        '1 node dropped {"transactions":["b"]}',
        sealed(2, 5, 'h5', 'p', 'a', 'b', 'c'),
      ],
      // Two were sealed in this place, and one is what was shown.
      [pending(1, 'a'), sealed(2, 5, 'h5', 'p', 'a'), sealed(3, 5, 'z', 'p')],
    ],
    bad: [
      [pending(1, 'a', 'b'), sealed(2, 5, 'h5', 'p', 'a')],
      [pending(1, 'a', 'b'), sealed(2, 5, 'h5', 'p', 'b', 'a')],
      // A reorganisation of L1 alone excuses nothing.
      [on(1, 'chain:l1', 'reorg'), pending(1, 'a'), sealed(2, 5, 'h5', 'p')],
    ],
  },
  'pending-goes-forward': {
    good: [
      [pending(1, 'a'), pending(2, 'a', 'b')],
      [pending(1, 'a'), '2 node ended', pending(3, 'b')],
      [pending(1, 'a'), '2 node dropped {"parent":"p"}', pending(3, 'b')],
    ],
    bad: [
      [pending(1, 'a'), '2 node started', pending(3, 'b')],
      [pending(1, 'a'), '2 node dropped {"parent":"q"}', pending(3, 'b')],
      [pending(1, 'a'), on(2, 'chain:l1', 'reorg'), pending(3, 'b')],
      [pending(1, 'a', 'b'), pending(2, 'a')],
      [pending(1, 'a', 'b'), pending(2, 'b', 'a')],
    ],
  },
  'one-snapshot': {
    good: [[receipts([5, 5], [0, 1], [21, 42])], [pending(1, 'a'), pending(2, 'a', 'b')]],
    bad: [
      ['1 o pending.seen {"parent":"p","root":"of a","transactions":["a","b"]}', pending(2, 'a')],
      [
        '1 o pending.seen {"parent":"p","root":"of a","transactions":["a","b"]}',
        pending(2, 'a', 'b'),
      ],
      [receipts([5, 6], [0, 1], [21, 42])],
      [receipts([5, 5], [0, 2], [21, 42])],
      [receipts([5, 5], [0, 1], [42, 21])],
    ],
  },
  'blocks-follow': {
    good: [
      [sealed(1, 5, 'h5', 'h4'), sealed(2, 6, 'h6', 'h5')],
      [sealed(1, 5, 'h5', 'h4'), tookBack(1, 'h5'), sealed(2, 6, 'h6', 'z')],
      // The newest was asked before, the one under it after.
      [tookBack(1, 'h6'), sealed(2, 5, 'z', 'h4'), sealed(2, 6, 'h6', 'h5')],
      ['1 node ended', on(2, 'chain:l1', 'reorg'), '3 o reorg.seen {"number":5}'],
      // It was there again, and then L1 had waited too long for it.
      [sealed(1, 5, 'h5', 'h4'), '1 node ended', tookBack(2, 'h5'), '3 o reorg.seen {"number":5}'],
    ],
    bad: [
      ['1 node ended', '3 o reorg.seen {"number":5}'],
      [sealed(1, 5, 'h5', 'h4'), '1 node ended', tookBack(2, 'h6'), '3 o reorg.seen {"number":5}'],
      [sealed(1, 5, 'h5', 'h4'), sealed(2, 6, 'h6', 'z')],
      [sealed(1, 5, 'h5', 'h4'), on(1, 'chain:l1', 'reorg'), sealed(2, 6, 'h6', 'z')],
    ],
  },
  'safe-is-sealed': {
    good: [
      [sealed(1, 5, 'h5', 'h4'), '2 o safe.seen {"number":5,"hash":"h5"}'],
      [sealed(1, 5, 'h5', 'h4'), '2 o safe.seen {"number":5,"hash":"z"}', sealed(3, 5, 'z', 'h4')],
      [
        sealed(1, 5, 'h5', 'h4'),
        '2 o safe.seen {"number":5,"hash":"h5"}',
        tookBack(3, 'h5'),
        sealed(4, 5, 'z', 'h4'),
      ],
      leftAtStart('3 l1 reorg {"removed":["l5"]}'),
    ],
    bad: [
      // L1 has not moved.
      leftAtStart(),
      [sealed(1, 5, 'h5', 'h4'), '2 o safe.seen {"number":5,"hash":"z"}'],
      [sealed(1, 5, 'h5', 'h4'), '2 o safe.seen {"number":5,"hash":"h5"}', sealed(4, 5, 'z', 'h4')],
      [
        sealed(1, 5, 'h5', 'h4'),
        on(2, 'chain:l1', 'reorg'),
        '3 o safe.seen {"number":5,"hash":"never"}',
        sealed(4, 5, 'z', 'h4'),
      ],
    ],
  },
  'final-is-final': {
    good: [
      [sealed(1, 5, 'h5', 'p'), final(2, 5, 'h5'), sealed(3, 5, 'h5', 'p')],
      // Only what was told before counts.
      [sealed(1, 5, 'z', 'p'), final(2, 5, 'h5')],
      [final(1, 5, 'h5'), on(2, 'registry:l1', 'reorged'), sealed(3, 5, 'z', 'p')],
      [
        final(1, 5, 'h5'),
        '2 chain:l1 fault.on {"id":1,"fault":"reorg","with":{"depth":12}}',
        sealed(3, 5, 'z', 'p'),
      ],
    ],
    bad: [
      [final(1, 5, 'h5'), final(2, 5, 'z')],
      [
        final(1, 5, 'h5'),
        '2 chain:l1 fault.on {"id":1,"fault":"reorg","with":{"depth":2}}',
        sealed(3, 5, 'z', 'p'),
      ],
    ],
  },
  'heads-go-forward': {
    good: [
      ['1 o safe.seen {"number":5,"hash":"h"}', '2 o safe.seen {"number":6,"hash":"h"}'],
      [
        '1 o safe.seen {"number":5,"hash":"h"}',
        on(1, 'chain:l1', 'reorg'),
        '2 o safe.seen {"number":4,"hash":"h"}',
      ],
      // The blocks are gone, and 400 ms later the batches of those before them, too (seed 280220).
      [
        ...['1 o safe.seen {"number":5,"hash":"h"}', on(1, 'chain:l1', 'reorg'), tookBack(2, 'h')],
        ...[3, 1].map((number, at) => `${3 + at} o safe.seen {"number":${number},"hash":"h"}`),
      ],
    ],
    bad: [
      ['1 o safe.seen {"number":5,"hash":"h"}', '2 o safe.seen {"number":4,"hash":"h"}'],
      // What is final outlives the node.
      [final(1, 5, 'h'), '2 node ended {}', final(3, 4, 'h')],
      [
        ...['1 node finalized {"number":5}', '2 node ended {}', '3 node started {}'],
        '3 node safe {"number":0}',
      ],
      // L2 takes blocks back, and L1 does not.
      [
        ...['1 o safe.seen {"number":5,"hash":"h"}', tookBack(2, 'h')],
        '3 o safe.seen {"number":4,"hash":"h"}',
      ],
      // One reorganisation, and it goes back twice.
      [
        ...['1 o safe.seen {"number":5,"hash":"h"}', on(1, 'chain:l1', 'reorg')],
        ...[4, 5, 4].map((number, at) => `${2 + at} o safe.seen {"number":${number},"hash":"h"}`),
      ],
    ],
  },
  'logs-come-once': {
    good: [
      [opened(1), on(1, 'link:subscriber', 'duplicate'), delivered(2, 0), delivered(3, 0)],
      // Whoever subscribed by it subscribed twice.
      [
        ...[on(1, 'link:subscriber', 'duplicate'), opened(2), off(3, 'link:subscriber')],
        ...[delivered(9_000, 0), delivered(9_000, 0)],
      ],
      [opened(1), delivered(2, 0), delivered(3, 0, true), delivered(4, 0)],
      // It was sealed before anybody listened.
      [opened(1, 5), sealed(2, 5, 'h5', 'p'), '9000 o logs.seen {"block":"h5","indices":[0]}', end],
      // Told between the answer to the subscription and the next.
      [
        delivered(1, 0),
        opened(1),
        sealed(2, 5, 'h5', 'p'),
        '9000 o logs.seen {"block":"h5","indices":[0]}',
        end,
      ],
      [
        opened(1),
        '2 s.1 subscription.closed',
        sealed(9_000, 5, 'h5', 'p'),
        '9000 o logs.seen {"block":"h5","indices":[0]}',
        end,
      ],
      [
        opened(1),
        sealed(9_000, 5, 'h5', 'p'),
        delivered(9_000, 0),
        '9000 o logs.seen {"block":"h5","indices":[0]}',
        end,
      ],
      // Taken back, and nobody looked at the height again.
      [...takenBack, end],
    ],
    bad: [
      // It came again, and its log did not.
      [...takenBack, '30000 node sealed {"number":5,"hash":"h5"}', end],
      // Its block is gone, and nobody was told.
      [opened(1), delivered(2, 0), tookBack(3, 'h5'), end],
      [opened(1), delivered(2, 0), delivered(3, 0)],
      [
        opened(1),
        sealed(9_000, 5, 'h5', 'p'),
        '9000 o logs.seen {"block":"h5","indices":[0]}',
        '90000 clients left',
        '90000 s.1 subscription.closed',
      ],
      [
        opened(1),
        sealed(9_000, 5, 'h5', 'p'),
        '9000 o logs.seen {"block":"h5","indices":[0]}',
        end,
      ],
    ],
  },
  'health-latches': {
    good: [
      [health(1, false), health(2, true), health(3, true)],
      [health(1, true), on(2, 'process:host', 'kill'), health(3, false), health(4, true)],
    ],
    bad: [[health(1, true), health(2, false)]],
  },
  'requests-end': {
    good: [
      [sent(0), done(500, 'answer'), end],
      [sent(0), done(500, 'error', 'L1 is dead: anvil ended'), end],
      [on(0, 'link:client-l2', 'half_open'), sent(0), done(1_000, 'late'), end],
      [sent(89_900), end],
    ],
    bad: [
      [sent(0), done(1_000, 'late'), end],
      [sent(0), done(500, 'error', ''), end],
      [sent(0), end],
      [on(0, 'link:host-l1', 'half_open'), sent(0), done(1_000, 'late'), end],
    ],
  },
  'games-end-in-truth': {
    good: [
      ['1 a game {"address":"g","claimIsTrue":true,"status":"DEFENDER_WINS"}'],
      [game(1, { claimIsTrue: true, isProven: true })],
      [game(1, { claimIsTrue: false, isProven: true }), game(2, { isProven: false })],
      // The first lie takes the verifier with it.
      [
        game(1, { address: 'h', claimIsTrue: true, isProven: true }),
        game(1, { claimIsTrue: false, isProven: false }),
        game(2, { address: 'h', claimIsTrue: true, isProven: false }),
      ],
      [game(1, { claimIsTrue: false, isProven: true }), '2 o game.gone {"address":"g"}'],
      // Nobody can prove what is true from its block of L1.
      [forged(false), game(1, { address: 'G', isProven: true })],
      // Who disputes waits for the enclave.
      [...garbled, game(3, { isProven: true })],
      [forged(false), game(1, { status: 'DEFENDER_WINS' })],
    ],
    bad: [
      ['1 a game {"address":"g","claimIsTrue":false,"status":"DEFENDER_WINS"}'],
      ['1 a game {"address":"g","claimIsTrue":true,"status":"CHALLENGER_WINS"}'],
      [game(1, { claimIsTrue: true, isProven: false })],
      [game(1, { claimIsTrue: false, isProven: true })],
      [forged(true), game(1, { isProven: true })],
      [...garbled, game(3, { isProven: true }), '300002 weather end'],
      [forged(true), game(1, { status: 'DEFENDER_WINS' })],
    ],
  },
  'nothing-breaks-inside': {
    good: [
      [done(1, 'error', 'refused')],
      [on(1, 'disk:api', 'full'), broken(2), off(3, 'disk:api')],
    ],
    bad: [[broken(2)], [on(1, 'disk:api', 'full'), off(3, 'disk:api'), broken(4)]],
  },
  'damage-is-named': {
    good: [
      [on(1, 'disk:state', 'flipped'), unstarted(2, 'node', 'STATE_DAMAGED'), off(3, 'disk:state')],
      // It ends with the node that it reads.
      [unstarted(2, 'batcher', '')],
      [on(1, 'disk:state', 'power_off'), unstarted(2, 'node', 'RPC_UNREACHABLE')],
    ],
    bad: [
      [unstarted(2, 'node', 'STATE_DAMAGED')],
      [on(1, 'disk:state', 'power_off'), unstarted(1, 'node', 'STATE_DAMAGED')],
      [
        on(1, 'disk:state', 'flipped'),
        unstarted(2, 'node', 'ERR_SQLITE_ERROR'),
        off(3, 'disk:state'),
      ],
      [on(1, 'disk:api', 'flipped'), off(2, 'disk:api'), unstarted(3, 'api', 'STATE_DAMAGED')],
      [on(1, 'disk:api', 'flipped'), unstarted(2, 'node', 'STATE_DAMAGED'), off(3, 'disk:api')],
    ],
  },
  'nothing-is-left': {
    good: [
      [on(1, 'link:host-l1', 'down'), off(2, 'link:host-l1'), end],
      ['1 w resources.seen {"handles":50}', '2 w resources.seen {"handles":60}', end],
    ],
    bad: [
      [on(1, 'link:host-l1', 'down'), end],
      ['1 w resources.seen {"handles":50}', '2 w resources.seen {"handles":6000}', end],
      ['1 w resources.seen {"handles":65}', '2 w resources.seen {"handles":180}', end],
    ],
  },
  'works-again': {
    good: [
      [over, '950 p probe.done {"probe":"a read","isWell":true}'],
      // The enclave waits for the rest of what was garbled, and the proposer for the enclave.
      [...garbled, over, noGame(300_001)],
      [on(1, ENCLAVE, 'reorder'), off(2, ENCLAVE), over, noGame(300_001)],
      [...garbled, over, noGame(300_001).replace('the next game', 'a game')],
    ],
    bad: [
      [...garbled, over, noGame(300_002)],
      [on(1, ENCLAVE, 'latency'), off(2, ENCLAVE), over, noGame(950)],
      [...garbled, over, '950 p probe.done {"probe":"a read","isWell":false}'],
      [over, noGame(950)],
      [over, '950 p probe.done {"probe":"a read","isWell":false,"problem":"refused"}'],
      [over],
      [sent(0)],
    ],
  },
}

test('given any checker, then it has logs of both kinds', () => {
  const judged = new Set([...Object.keys(LOGS), ...Object.keys(CROSSING_LOGS)])
  expect([...judged].sort()).toEqual(CHECKERS.map(({ name }) => name).sort())
})

describe.each([...Object.entries(LOGS), ...Object.entries(CROSSING_LOGS)])(
  '%s',
  (name, { good, bad }) => {
    test.each(good)('given a log that is well (%#), then nothing is found', (...lines) => {
      expect(judgeLog(log(...lines), [name])).toEqual([])
    })

    test.each(bad)('given a log that is not (%#), then it is found', (...lines) => {
      expect(judgeLog(log(...lines), [name]).map(({ checker }) => checker)).toContain(name)
    })
  },
)

test('given a stored log, then it is judged as it was', () => {
  const events = log(asked(2, false), made(2))
  const stored = events.map((event) => `${JSON.stringify(event)}\n`).join('')
  expect(judgeLog(parseLog(stored))).toEqual(judgeLog(events))
})
