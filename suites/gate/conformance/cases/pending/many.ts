import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectArray } from '../../matchers/expect-shape.ts'
import { encodeLogEntries } from '../../probes/contracts.ts'
import { toWord } from '../../reads/eth-call.ts'
import { getLogs } from '../../reads/get-logs.ts'
import { ifListed, inOneWindow, type WindowLimits } from '../../scenes/in-one-window.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import type { Hex } from '../../wire/hex.ts'

/** Transactions, and logs of all of them. */
const [MANY, LOGS] = [60, 120]
/** Where so many did not fit into a block twice, half as many are sent, but not fewer than a few. */
const [ENOUGH_TRIES, FEW] = [2, 15]
/** A window of so many takes seconds on a busy machine; whether less is listed in time is asked by others. */
const LIMITS: WindowLimits = { within: 20_000, setAside: notApplicable }
/** Milliseconds, for a window that begins late and takes long. */
const TIMEOUT = 120_000
/** Of the logs of many. */
const TOPIC = toWord(0x3a17)
/** Likewise of a transaction that has several. */
const SEVERAL = toWord(0x5e7e)
const GAS = 100_000n

/** A sender of its own: some nodes lose one of so many, and what follows it waits for ever. */
const ACCOUNT = 8

function howMany(tries: number): number {
  return Math.max(FEW, MANY / 2 ** Math.max(0, tries - ENOUGH_TRIES + 1))
}

async function sendMany({ driver }: CaseContext, to: Hex, many: number): Promise<Hex[]> {
  const sent = Array.from({ length: many }, (_, index) =>
    driver.send({
      ...{ account: ACCOUNT, to, gas: GAS },
      data: encodeLogEntries(Array(LOGS / many).fill({ topics: [TOPIC], data: toWord(index) })),
    }),
  )
  return Promise.all(sent)
}

export const cases = defineCases([
  {
    id: 'rpc.pending.many.01',
    title: 'Sixty pre-confirmed transactions are all listed, and all of their logs are there',
    area: 'pending',
    rules: ['RPC-PEND-06', 'RPC-GETLOGS-02'],
    needs: ['rpc', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Lists that are cut show in full blocks alone, when most depends on them.',
    async run(t) {
      if (t.driver.lacksMoney) notApplicable('So many transactions are more than its sender has.')
      const { logOther } = await t.scene(probeContracts)
      let tries = 0
      const seen = await inOneWindow(
        t,
        () => sendMany(t, logOther, howMany(tries++)),
        async (seen) => ({
          ...seen,
          found: await getLogs(t.rpc, {
            ...{ fromBlock: 'pending', toBlock: 'pending', topics: [TOPIC] },
          }),
        }),
        LIMITS,
      )
      expectThat(seen !== 'left out', 'all of them', seen, 'pending.transactions')
      const { sent, block, found } = seen
      const listed = expectArray(block.transactions, 'transactions')
      const logsOf = (hash: Hex) => found.filter((log) => log.transactionHash === hash).length
      expectEqual(
        sent.filter((hash) => listed.includes(hash) && logsOf(hash) !== LOGS / sent.length),
        [],
        'listed transactions that lack a log',
      )
    },
  },
  {
    id: 'rpc.getlogs.pending-to-all.01',
    title:
      'From a sealed bound to pending a pre-confirmed transaction has all of its logs, or none',
    area: 'logs',
    rules: ['RPC-FLT-05', 'RPC-GETLOGS-01'],
    needs: ['rpc', 'driver'],
    rationale:
      'Whether it has any is open (OPEN-15); whoever drops doubles by the transaction loses all but its first.',
    async run(t) {
      const { logOther: to } = await t.scene(probeContracts)
      const entries = [1, 2, 3].map((at) => ({ topics: [SEVERAL], data: toWord(at) }))
      const send = () => t.driver.send({ account: 2, to, data: encodeLogEntries(entries) })
      const found = ifListed(
        await inOneWindow(
          t,
          async () => [await send()],
          async ({ sent }) => {
            const filter = {
              address: to,
              topics: [SEVERAL],
              fromBlock: 'latest',
              toBlock: 'pending',
            }
            const logs = await getLogs(t.rpc, filter)
            return logs.filter((log) => log.transactionHash === sent[0]).map(({ data }) => data)
          },
        ),
      )
      if (found.length > 0) expectEqual(found.toSorted(), [1, 2, 3].map(toWord), 'data of its logs')
    },
  },
])
