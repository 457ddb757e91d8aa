import type { CheatMethod } from '../cheat-rpc.ts'

/**
 * `rollbed_subscriptions []` → the open subscriptions of all connections to this endpoint:
 * `{id, kind, options, since, sent}`.
 */
export const rollbedSubscriptions: CheatMethod = ({ subscriptions }) => subscriptions.all()
