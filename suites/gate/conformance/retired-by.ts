/**
 * What Denim retired, by rule or by case, and what is there in its place. In profile `today` such a case does
 * not run: the chain that it speaks of is gone (base/docs, denim/migrate-from-flashblocks).
 */
const RETIRED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^RPC-PEND-\d+$/, 'Denim retired the pending block: blocks come every 200 ms'],
  [/^RPC-WS-\d+$/, 'Denim retired pendingLogs: `logs` takes its place'],
  [/^RPC-SEL-09$/, 'Denim retired the block under construction: `latest` takes its place'],
  [/^RPC-(FLT-04|GETLOGS-0[23]|LOG-12)$/, 'Denim retired pre-confirmed logs'],
  [
    /^RPC-(CALL-(19|2[012])|SIM-03|STOR-08)$/,
    'Denim retired pre-confirmed state: `pending` is a forecast of the next block upon `latest`',
  ],
  [/^RPC-ENV-17$/, 'Since Denim no endpoint has pre-confirmations, and all offer eth_simulateV1'],
  // Cases that show a rule which still holds by pre-confirmed logs.
  [/^rpc\.getlogs\.(pending-.*|default-end-not-pending\.01)$/, 'Denim retired pre-confirmed logs'],
  [/^rpc\.getlogs\.watched-once\.01$/, 'Denim retired pre-confirmed logs'],
]

/** Why a rule or a case is not of today's chain; undefined where it is. */
export function retiredBy(id: string): string | undefined {
  return RETIRED.find(([pattern]) => pattern.test(id))?.[1]
}
