import { sleep } from '#protocol/clock/clock'
import { cannotJudge, notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectObject } from '../../matchers/expect-shape.ts'
import { encodeLogEntries } from '../../probes/contracts.ts'
import { getLogs } from '../../reads/get-logs.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { TRANSFER } from '../../scenes/sealed-history.ts'

/** How long a notification may take after what it tells of. */
const GRACE = 20_000
/** A block that is no longer the newest when the driver replaces that one stays; the next one is taken. */
const MOST_BLOCKS = 4

export const cases = defineCases([
  {
    id: 'ws.logs.removed.01',
    title: 'A log that a reorganization takes out is sent again with removed true',
    area: 'stream',
    rules: ['RPC-LOG-13'],
    needs: ['ws', 'rpc', 'driver'],
    isDisruptive: true,
    rationale:
      'Who acted on a log must be told that it is gone; eth_getLogs never returns it (OPEN-21).',
    async run(t) {
      const { driver, rpc, clock, signal } = t
      if (!driver.reorg) notApplicable('The driver cannot reorganize the chain.')
      const address = (await t.scene(probeContracts)).logStream
      const socket = await t.subscribeTo()
      const { result: logStream } = await socket.call('eth_subscribe', ['logs', { address }])
      const { result: headStream } = await socket.call('eth_subscribe', ['newHeads'])
      const sentBy = (stream: unknown) =>
        socket.notifications
          .filter((each) => each.subscription === stream)
          .map(({ result }) => expectObject(result, 'notification'))
      const within = (found: () => boolean) =>
        Promise.race([socket.until(found), sleep(clock, GRACE, signal)])
      const headsAt = (at: bigint) =>
        sentBy(headStream).filter(({ number }) => BigInt(String(number)) === at)

      const replaceBlockOfLog = async (blocks: number) => {
        const hash = await driver.send({
          account: 4,
          to: address,
          data: encodeLogEntries([{ topics: [TRANSFER], data: '0x' }]),
        })
        const logs = () => sentBy(logStream).filter((log) => log.transactionHash === hash)
        const sealed = await driver.sealed(hash)
        await within(() => logs().length > 0)
        const heads = sentBy(headStream).length
        await driver.reorg!()
        const replaced = () =>
          sentBy(headStream)
            .slice(heads)
            .some(({ number }) => headsAt(BigInt(String(number))).length > 1)
        await within(replaced)
        if (headsAt(sealed.blockNumber).length > 1) return { sealed, logs: logs() }
        if (!replaced() || blocks >= MOST_BLOCKS)
          cannotJudge('The block of the log was not replaced.')
        return replaceBlockOfLog(blocks + 1)
      }
      const { sealed, logs } = await replaceBlockOfLog(1)

      const [first, second] = logs.filter(({ blockHash }) => blockHash === sealed.blockHash)
      expectEqual(first?.removed, false, 'removed of the log as it was sealed')
      expectEqual(second, { ...first, removed: true }, 'the same log, taken out')
      const found = await getLogs(rpc, { address, fromBlock: 'earliest' })
      const damage = await driver.damage?.()
      if (damage) t.note(damage)
      expectEqual(found.filter(({ removed }) => removed !== false).length, 0, 'removed logs found')
    },
  },
])
