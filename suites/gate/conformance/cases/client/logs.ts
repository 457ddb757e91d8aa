import { toHex } from 'viem'
import type { WatchedCaller } from '../../callers/watched-caller.ts'
import { CALLER_TIMEOUT, withCaller } from '../../callers/with-caller.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { encodeLogEntries, LOG_PROBE } from '../../probes/contracts.ts'
import { toWord } from '../../reads/eth-call.ts'
import type { Hex } from '../../wire/hex.ts'

/** The contract that the client is told to watch. */
const WATCHED: Hex = '0x00000000000000000000000000000000000c11e7'
const ANOTHER: Hex = '0x00000000000000000000000000000000000c11e8'
/** Nodes answer so many blocks at once; most callers ask for as many, or for a half or a quarter. */
const LONG = 2_000
/** Logs at most, while an answer is on its way, and the mark of the first: only a client that tells none comes so far. */
const [MEANWHILE, FIRST_MEANWHILE] = [1_000, 1_000]
/** L1 blocks, one a second: libraries ask again for a few seconds before they say so. */
const REFUSED_FOR = 5
/** Who has no answer for a while. */
const REFUSING = { busy: 'a proxy refuses', overloaded: 'a node has errors for' } as const
/** Blocks with a log each: the first ones, and where parts of usual lengths end; and the mark of the first log. */
const AROUND_ENDS = [
  [10, 45],
  [99, 102],
  [249, 252],
  [499, 502],
  [999, 1_002],
] as const
const FIRST_IN_ROW = 300
/** Of the usual test mnemonic; the world's node signs for it. */
const SENDER: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** Marks of more logs than who keeps the last few still knows. */
const MANY = Array.from({ length: 80 }, (_, index) => 100 + index)

export const cases = defineCases([
  {
    id: 'caller.client.preconfirmed.01',
    title: 'A log is told once it is pre-confirmed, and not again when its block is sealed',
    area: 'client',
    rules: ['RPC-WS-02', 'RPC-WS-03'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'What is sealed was pre-confirmed before: who counts both pays out twice.',
    run: (t) =>
      withClient(t, async (client) => {
        client.start()
        const [first, second] = [await emit(client, 1), await emit(client, 2)]
        // Nothing is sealed yet: a client that waits for blocks never gets here.
        await printed(client, first)
        await printed(client, second)
        await client.l2.result('rollbed_seal', [])
        await expectPrintedOnce(client, [first, second])
      }),
  },
  {
    id: 'caller.client.cut-line.01',
    title: 'What went by while the subscription was down is told, and nothing twice',
    area: 'client',
    rules: ['RPC-GETLOGS-02', 'RPC-WS-03'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A node restarts and lines break; a stream says nothing of what it did not send.',
    run: (t) =>
      withClient(t, async (client) => {
        client.start()
        const many = await emitFrom(client, WATCHED, MANY)
        await client.until(`lines about ${MANY.length} logs of ${many}`, () =>
          indicesOf(client, many).length >= MANY.length ? true : undefined,
        )
        const before = await emit(client, 1)
        await printed(client, before)
        await client.l2.result('anvil_setCode', [ANOTHER, LOG_PROBE])
        const mend = await cutLines(client)
        const beside = await emit(client, 4)
        const foreign = await emitFrom(client, ANOTHER, [5])
        await client.l2.result('rollbed_seal', [])
        const sealed = await emit(client, 2)
        await client.l2.result('rollbed_seal', [])
        const pending = await emit(client, 3)
        await mend()
        await printed(client, sealed)
        await printed(client, pending)
        // The block of the last log that it knew may have more of them.
        await printed(client, beside, `in the block of that of ${before}, told before`)
        await expectPrintedOnce(client, [before, beside, sealed, pending])
        expectEqual(indicesOf(client, many).length, MANY.length, `lines about the logs of ${many}`)
        expectEqual(indicesOf(client, foreign), [], `lines about a log of ${ANOTHER}`)
      }),
  },
  ...(['busy', 'overloaded'] as const).map(
    (how, index): ConformanceCase => ({
      id: `caller.client.busy-node.0${index + 1}`,
      title: `While ${REFUSING[how]} eth_getLogs nothing is taken back, and what came is told later`,
      area: 'client',
      rules: ['RPC-LOG-13', 'RPC-GETLOGS-02'],
      needs: ['client'],
      timeout: CALLER_TIMEOUT,
      rationale:
        'An error says nothing of what is there; nodes that have too much to do answer one.',
      run: (t) => expectPatience(t, how),
    }),
  ),
  {
    id: 'caller.client.history.01',
    title: 'Logs from before the client was started are told, each once',
    area: 'client',
    rules: ['RPC-GETLOGS-02', 'RPC-GETLOGS-04', 'RPC-WS-03'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A client is started anew now and then, and a stream begins with what comes next.',
    run: (t) =>
      withClient(t, async (client) => {
        const sealed = await emit(client, 1)
        await client.l2.result('rollbed_seal', [])
        const pending = await emit(client, 2)
        client.start()
        await printed(client, sealed)
        await printed(client, pending)
        await expectPrintedOnce(client, [sealed, pending])
      }),
  },
  {
    id: 'caller.client.history.02',
    title: 'Logs that come while the client reads those from before are told, each once',
    area: 'client',
    rules: ['RPC-GETLOGS-02', 'RPC-WS-03'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Whoever subscribes once it has read the past has seen nothing of the time between.',
    run: (t) =>
      withClient(t, async (client) => {
        const before = await emit(client, 1)
        await client.l2.result('rollbed_seal', [])
        const mend = await client.world.fault('link:subscriber', 'latency', { latency: 600 })
        client.start()
        const hasPrinted = () => client.printed().length > 0
        await client.until('eth_getLogs asked, or a log told', () => {
          return client.begun.includes('eth_getLogs') || hasPrinted() || undefined
        })
        const meanwhile: Hex[] = []
        while (!hasPrinted() && meanwhile.length < MEANWHILE) {
          meanwhile.push(await emit(client, FIRST_MEANWHILE + meanwhile.length))
          // What is still pending a late subscriber would be told when it is sealed.
          await client.l2.result('rollbed_seal', [])
        }
        await mend()
        for (const log of [before, ...meanwhile]) await printed(client, log)
        await expectPrintedOnce(client, [before, ...meanwhile])
      }),
  },
  {
    id: 'caller.client.history.03',
    title: 'Logs of one block after the other are told, where any part of the chain may end',
    area: 'client',
    rules: ['RPC-GETLOGS-04', 'RPC-FLT-02'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Both ends of a range are in it: one who steps over one too many misses its logs.',
    run: (t) =>
      withClient(t, async (client) => {
        const logs: Hex[] = []
        for (const [from, to] of AROUND_ENDS) {
          await mineTo(client, from - 1)
          for (let block = from; block <= to; block += 1) {
            logs.push(await emit(client, FIRST_IN_ROW + logs.length))
            await client.l2.result('rollbed_seal', [])
          }
        }
        client.start()
        for (const log of logs) await printed(client, log)
        await expectPrintedOnce(client, logs)
      }),
  },
  {
    id: 'caller.client.long-chain.01',
    title:
      'Logs from more than 2,000 blocks ago are told to whom a node answers 2,000 at once, and none that is taken out while they come',
    area: 'client',
    rules: ['LIM-01', 'LIM-02', 'RPC-LOG-13'],
    level: 'should',
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A node refuses to look through a whole chain: who asks at once learns nothing.',
    run: (t) =>
      withClient(t, async (client) => {
        const old = await emit(client, 1)
        await mineTo(client, LONG - 10)
        const ofEarlierPart = await emit(client, 2)
        await mineTo(client, LONG + 10)
        const fresh = await emit(client, 3)
        client.start()
        for (const log of [old, ofEarlierPart, fresh]) await printed(client, log)
        await expectPrintedOnce(client, [old, ofEarlierPart, fresh])

        await client.forget()
        const mend = await client.world.fault('link:subscriber', 'latency', { latency: 300 })
        client.start()
        await client.until('a third part of the chain asked for, or a log told', () => {
          const parts = client.begun.filter((method) => method === 'eth_getLogs').length
          return parts > 2 || client.printed().length > 0 || undefined
        })
        // What it was told of the second part is true no longer, and it still waits for the third.
        await client.l2.result('anvil_rollback', [30, false])
        await mineTo(client, LONG + 20)
        await mend()
        await printed(client, old)
        await expectPrintedOnce(client, [old])
        expectEqual(
          linesOf(client, ofEarlierPart).at(-1) ?? true,
          true,
          `removed of the last line of ${ofEarlierPart}`,
        )
      }),
  },
  {
    id: 'caller.client.several-logs.01',
    title: 'Each log of a transaction is told once, and none of another contract',
    area: 'client',
    rules: ['RPC-FLT-07', 'RPC-LOG-11', 'RPC-WS-03'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A log is known by its transaction and its index: one transaction may have many.',
    run: (t) =>
      withClient(t, async (client) => {
        await client.l2.result('anvil_setCode', [ANOTHER, LOG_PROBE])
        client.start()
        const first = await emit(client, 1)
        await printed(client, first)
        const foreign = await emitFrom(client, ANOTHER, [2])
        const both = await emitFrom(client, WATCHED, [3, 4])
        await client.l2.result('rollbed_seal', [])
        await expectPrintedOnce(client, [first])
        const { logs } = (await client.l2.result('eth_getTransactionReceipt', [both])) as {
          logs: { logIndex: Hex }[]
        }
        expectEqual(
          indicesOf(client, both),
          logs.map(({ logIndex }) => logIndex),
          `logIndex of the lines of ${both}`,
        )
        expectEqual(indicesOf(client, foreign), [], `lines about a log of ${ANOTHER}`)
      }),
  },
  {
    id: 'caller.client.removed.01',
    title: 'Logs that a reorganization of two blocks takes out are told again as removed',
    area: 'client',
    rules: ['RPC-LOG-13'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'What was shown to somebody and is gone has to be taken back.',
    run: (t) => expectTakenBack(t, (_, takeOut) => takeOut()),
  },
  {
    id: 'caller.client.removed.02',
    title: 'A log that comes again after a reorganization took it out is told again',
    area: 'client',
    rules: ['RPC-LOG-13'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A transaction that was taken out is mostly included again: its log counts then.',
    run: (t) =>
      withClient(t, async (client) => {
        client.start()
        const log = await emit(client, 1)
        const signed = await client.l2.result('eth_getRawTransactionByHash', [log])
        await client.l2.result('rollbed_seal', [])
        await printed(client, log)
        await client.l2.result('anvil_rollback', [1, false])
        await untilRemoved(client, log)
        await client.l2.result('eth_sendRawTransaction', [signed])
        await client.l2.result('rollbed_flashblock', [])
        // What comes later is told later.
        await expectPrintedOnce(client, [])
        expectEqual(linesOf(client, log), [false, true, false], `removed of the lines of ${log}`)
      }),
  },
  {
    id: 'caller.client.removed.03',
    title:
      'Logs that a reorganization of two blocks takes out while the line is down are told again as removed',
    area: 'client',
    rules: ['RPC-LOG-13'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'No stream says so afterwards: what was told is compared with what is there now.',
    run: (t) =>
      expectTakenBack(t, async (client, takeOut) => {
        const mend = await cutLines(client)
        await takeOut()
        await mend()
      }),
  },
  {
    id: 'caller.client.removed.05',
    title: 'A log whose place another log takes while the line is down is told again as removed',
    area: 'client',
    rules: ['RPC-LOG-13'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Block and index are those of the one before: it is the transaction that differs.',
    run: (t) =>
      withClient(t, async (client) => {
        client.start()
        const gone = await emit(client, 1)
        await client.l2.result('rollbed_seal', [])
        await printed(client, gone)
        const mend = await cutLines(client)
        await client.l2.result('anvil_rollback', [1, false])
        const instead = await emit(client, 2)
        await client.l2.result('rollbed_seal', [])
        await mend()
        await printed(client, instead, `at the place of that of ${gone}, told before`)
        await untilRemoved(client, gone)
        await expectPrintedOnce(client, [instead])
        expectEqual(linesOf(client, gone), [false, true], `removed of the lines of ${gone}`)
      }),
  },
  {
    id: 'caller.client.removed.04',
    title:
      'A pre-confirmed log that is dropped before its block is sealed is told again as removed',
    area: 'client',
    rules: ['RPC-LOG-13'],
    needs: ['client'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'What is pre-confirmed is a promise; one that was not kept has to be taken back, too.',
    run: (t) =>
      withClient(t, async (client) => {
        client.start()
        const sealed = await emit(client, 1)
        await client.l2.result('rollbed_seal', [])
        const pending = await emit(client, 2)
        await printed(client, pending)
        await client.l2.result('anvil_rollback', [1, false])
        for (const log of [sealed, pending]) await untilRemoved(client, log)
        await expectPrintedOnce(client, [])
        for (const log of [sealed, pending])
          expectEqual(linesOf(client, log), [false, true], `removed of the lines of ${log}`)
      }),
  },
])

/** Has the newest two blocks of three taken out; their logs, which were told, have to be told as removed, and no other. */
function expectTakenBack(
  t: CaseContext,
  around: (client: WatchedCaller, takeOut: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  return withClient(t, async (client) => {
    client.start()
    const inBlock = async (mark: number) => {
      const log = await emit(client, mark)
      await client.l2.result('rollbed_seal', [])
      await printed(client, log)
      return log
    }
    const stays = await inBlock(1)
    const gone = [await inBlock(2), await inBlock(3)]
    await around(client, () => client.l2.result('anvil_rollback', [gone.length, false]))
    for (const log of gone) await untilRemoved(client, log)
    await expectPrintedOnce(client, [stays])
    for (const log of gone)
      expectEqual(linesOf(client, log), [false, true], `removed of the lines of ${log}`)
  })
}

/** A client, and the contract that it watches; L2 does nothing but what the case tells it. */
function withClient(t: CaseContext, use: (client: WatchedCaller) => Promise<void>): Promise<void> {
  const prepare = async (client: WatchedCaller) => {
    await client.l2.result('anvil_setCode', [WATCHED, LOG_PROBE])
    await client.l2.result('rollbed_seal', [])
    await use(client)
  }
  return withCaller(t, 'client', prepare, { env: { WATCH_ADDRESS: WATCHED } })
}

/** Subscriptions are down, and HTTP is not answered. @returns what ends that */
async function cutLines({ world, cutHttp }: WatchedCaller): Promise<() => Promise<void>> {
  const connect = cutHttp()
  const mend = await world.fault('link:subscriber', 'down')
  return async () => {
    connect()
    await mend()
  }
}

/** Has the contract emit one log, pre-confirmed. @returns its transaction */
const emit = (client: WatchedCaller, mark: number) => emitFrom(client, WATCHED, [mark])

/** What it asks for logs is answered by errors for a while, after its lines were down. */
async function expectPatience(t: CaseContext, how: keyof typeof REFUSING): Promise<void> {
  await withClient(t, async (client) => {
    client.start()
    const before = await emit(client, 1)
    await client.l2.result('rollbed_seal', [])
    await printed(client, before)
    const mend = await cutLines(client)
    const unseen = await emit(client, 2)
    await client.l2.result('rollbed_seal', [])
    const answer = client.spoil('eth_getLogs', how)
    const timesAsked = () => client.begun.filter((each) => each === 'eth_getLogs').length
    const asked = timesAsked()
    await mend()
    // Or it learns of logs by other methods, and tells this one at once.
    await client.until('eth_getLogs asked again, or the log told that it missed', () => {
      return timesAsked() > asked || linesOf(client, unseen).includes(false) || undefined
    })
    await client.untilQuiet(REFUSED_FOR)
    answer()
    await printed(client, unseen)
    await expectPrintedOnce(client, [before, unseen])
  })
}

/** Has a contract emit logs in one transaction, pre-confirmed. @returns the transaction */
async function emitFrom({ l2 }: WatchedCaller, to: Hex, marks: readonly number[]): Promise<Hex> {
  const data = encodeLogEntries(marks.map((mark) => ({ topics: [toWord(mark)], data: '0x' })))
  const transaction = { from: SENDER, to, data, gas: '0x7a120' }
  const hash = (await l2.result('eth_sendTransaction', [transaction])) as Hex
  await l2.result('rollbed_flashblock', [])
  return hash
}

/** Has blocks sealed up to this one. */
async function mineTo({ l2 }: WatchedCaller, block: number): Promise<void> {
  const newest = Number(await l2.result('eth_blockNumber', []))
  await l2.result('anvil_mine', [toHex(block - newest)])
}

/** `removed` of each line about a transaction's log. */
function linesOf(client: WatchedCaller, hash: Hex): boolean[] {
  return client
    .printed()
    .filter(({ transactionHash }) => transactionHash === hash)
    .map(({ removed }) => removed === true)
}

/** `logIndex` of each line about a transaction's logs. */
function indicesOf(client: WatchedCaller, hash: Hex): unknown[] {
  return client
    .printed()
    .filter(({ transactionHash }) => transactionHash === hash)
    .map(({ logIndex }) => logIndex)
    .toSorted()
}

/** @param which more of the log, for people */
function printed(client: WatchedCaller, hash: Hex, which?: string): Promise<true> {
  return client.until(`a line about the log of ${hash}${which ? `, ${which}` : ''}`, () =>
    linesOf(client, hash).includes(false) ? true : undefined,
  )
}

function untilRemoved(client: WatchedCaller, hash: Hex): Promise<true> {
  return client.until(`a line about the log of ${hash}, removed`, () =>
    linesOf(client, hash).includes(true) ? true : undefined,
  )
}

/** A last log comes after whatever else there is to tell. */
async function expectPrintedOnce(client: WatchedCaller, hashes: readonly Hex[]): Promise<void> {
  await printed(client, await emit(client, 99))
  await client.l2.result('rollbed_seal', [])
  await printed(client, await emit(client, 100))
  for (const hash of hashes)
    expectEqual(linesOf(client, hash), [false], `removed of the lines of ${hash}`)
}
