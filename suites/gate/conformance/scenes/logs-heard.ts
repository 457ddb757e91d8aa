import type { CaseContext } from '../conformance-case.ts'
import { encodeLogEntries, type LogEntry } from '../probes/contracts.ts'
import type { Notification, SubscriptionClient } from '../wire/subscription-client.ts'
import { probeContracts } from './probe-contracts.ts'
import { TRANSFER } from './sealed-history.ts'

const LAST: LogEntry = { topics: [TRANSFER], data: '0x' }

/**
 * What a line is told of a transaction that emits these logs, once a log of a later block, told to the line beside
 * it, shows that all has come.
 * @param options `beside` listens to logs of `logOther`; `gas` where the transaction takes more than others
 */
export async function logsHeard(
  t: CaseContext,
  socket: SubscriptionClient,
  entries: readonly LogEntry[],
  { beside, gas }: { beside: SubscriptionClient; gas?: bigint },
): Promise<Notification[]> {
  const { logOther: to } = await t.scene(probeContracts)
  const first = await t.driver.send({
    ...{ account: 5, to, data: encodeLogEntries(entries) },
    ...(gas !== undefined && { gas }),
  })
  await t.driver.sealed(first)
  const last = await t.driver.send({ account: 5, to, data: encodeLogEntries([LAST]) })
  const isOf = (hash: unknown) => (one: Notification) => Object(one.result).transactionHash === hash
  await beside.until((all) => all.some(isOf(last)))
  return socket.notifications.filter(isOf(first))
}
