import { cannotJudge, notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectArray } from '../../matchers/expect-shape.ts'
import { encodeLogEntries } from '../../probes/contracts.ts'
import { toWord } from '../../reads/eth-call.ts'
import { getBlock } from '../../reads/get-block.ts'
import { getLogs } from '../../reads/get-logs.ts'
import { isSealed } from '../../reads/is-sealed.ts'
import { untilListed } from '../../scenes/listing.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import type { Hex } from '../../wire/hex.ts'

/** Transactions, and logs in each. */
const [MANY, LOGS] = [60, 2]
const TOPIC = toWord(0x3a17)
const GAS = 60_000n
/** A window in which the block was sealed too early tells nothing; two with something left out are no accident. */
const [MOST_WINDOWS, ENOUGH_WINDOWS] = [6, 2]

/** Senders whose money and nonces no case counts on; account 7 has to rest (cases/pending/pool.ts). */
const SENDERS = [5, 6]

/** Sends at the start of a block. */
async function sendMany(t: CaseContext): Promise<Hex[]> {
  const { logOther } = await t.scene(probeContracts)
  const { driver } = t
  await driver.blockStart()
  const sent = Array.from({ length: MANY }, (_, index) =>
    driver.send({
      ...{ account: SENDERS[index % SENDERS.length]!, to: logOther, gas: GAS },
      data: encodeLogEntries(Array(LOGS).fill({ topics: [TOPIC], data: toWord(index) })),
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
    rationale: 'Lists that are cut show in full blocks alone, when most depends on them.',
    async run(t) {
      if (t.driver.lacksMoney) notApplicable('So many transactions are more than its sender has.')
      let leftOut = 0
      for (let window = 0; window < MOST_WINDOWS && leftOut < ENOUGH_WINDOWS; window++) {
        const sent = await sendMany(t)
        const { block, listing } = await untilListed(t, sent)
        if (listing.wasLeftOut) leftOut += 1
        const [found, later] = [
          await getLogs(t.rpc, { fromBlock: 'pending', toBlock: 'pending', topics: [TOPIC] }),
          await getBlock(t.rpc, 'pending'),
        ]
        const wasInTime = block && later.parentHash === block.parentHash
        const isOpen = wasInTime && !(await isSealed(t.rpc, sent[0]!))
        await Promise.all(sent.map((hash) => t.driver.sealed(hash)))
        if (!isOpen) continue
        const listed = expectArray(block.transactions, 'transactions')
        const logsOf = (hash: Hex) => found.filter((log) => log.transactionHash === hash).length
        expectEqual(
          sent.filter((hash) => listed.includes(hash) && logsOf(hash) !== LOGS),
          [],
          'listed transactions that lack a log',
        )
        return
      }
      expectThat(leftOut < ENOUGH_WINDOWS, 'all of them', 'some left out', 'pending.transactions')
      cannotJudge('The block was sealed before all were seen in it, each time.')
    },
  },
])
