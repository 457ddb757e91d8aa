export type { FaultName } from '#devnet/faults/fault-catalogue'
export type { FaultTarget } from '#devnet/faults/fault-targets'
export {
  type AttributionActions,
  type AttributionStats,
  attributionActions,
  type CodeStats,
  type TransactionAttribution,
} from './attribution-actions.ts'
export {
  type BuilderCodeClient,
  type BuilderCodeRegistration,
  builderCodeClient,
} from './builder-code-client.ts'
export { builderCodeSuffix } from './builder-code-suffix.ts'
export { type L1TestActions, l1TestActions } from './l1-test-actions.ts'
export type { MaximumValue, MaximumValueParameters } from './maximum-value.ts'
export { type PreconfirmationActions, preconfirmationActions } from './preconfirmation-actions.ts'
export {
  type RollbedChain,
  type RollbedChainDescription,
  type RollbedL1Chain,
  rollbedChain,
  rollbedL1Chain,
} from './rollbed-chain.ts'
export type { SettleWithdrawalParameters } from './settle-withdrawal.ts'
export { type TestActions, testActions } from './test-actions.ts'
export { type DroppedTransaction, TransactionDropped } from './transaction-dropped.ts'
export { TransactionReverted } from './transaction-reverted.ts'
export type { WaitParameters } from './wait-until.ts'
export type { WatchDroppedParameters } from './watch-dropped.ts'
export type { WatchFlashblocksParameters } from './watch-flashblocks.ts'
export type { PendingLog, WatchPendingLogsParameters } from './watch-pending-logs.ts'
export type { BlockIdentity, Reorg, WatchReorgsParameters } from './watch-reorgs.ts'
