import { notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { LOGS, replacedBlock } from '../../scenes/replaced-block.ts'

/** Logs are taken out from the first to the last, or the other way round: no document says. */
const byPlace = (logs: readonly JsonObject[]) =>
  logs.toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex))

export const cases = defineCases([
  {
    id: 'ws.logs.removed.01',
    title: 'Each log that a reorganization takes out is sent again with removed true',
    area: 'stream',
    rules: ['RPC-LOG-13'],
    needs: ['ws', 'rpc', 'driver'],
    isDisruptive: true,
    rationale:
      'Who acted on a log must be heard that it is gone; eth_getLogs never returns it (OPEN-21).',
    async run(t) {
      const { heard, found, damage } = await t.scene(replacedBlock)
      if (damage) t.note(damage)
      const [sealed, removed] = [heard.slice(0, LOGS), heard.slice(LOGS)].map(byPlace)
      const asSealed = sealed!.map((log) => log.removed)
      expectEqual(asSealed, Array(LOGS).fill(false), 'removed of the logs as they were sealed')
      const takenOut = sealed!.map((log) => ({ ...log, removed: true }))
      expectEqual(removed, takenOut, 'the same logs, taken out')
      expectEqual(found.filter(({ removed }) => removed !== false).length, 0, 'removed logs found')
    },
  },
  {
    id: 'ws.pendinglogs.after-reorg.01',
    title: 'A subscription to pendingLogs goes on after a reorganization',
    area: 'stream',
    rules: ['RPC-WS-02'],
    needs: ['ws', 'rpc', 'driver'],
    isDisruptive: true,
    rationale: 'A listener that hears nothing more believes that nothing happens.',
    async run(t) {
      const { streamedAfter, damage } = await t.scene(replacedBlock)
      if (!streamedAfter) notApplicable('pendingLogs was not confirmed.')
      if (damage) t.note(damage)
      expectEqual(streamedAfter.length, 1, 'messages about a log that was sent afterwards')
    },
  },
])
