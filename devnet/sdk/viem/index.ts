export {
  type BuilderCodeClient,
  type BuilderCodeRegistration,
  builderCodeClient,
} from './builder-code-client.ts'
export { builderCodeSuffix } from './builder-code-suffix.ts'
export type { MaximumValue, MaximumValueParameters } from './maximum-value.ts'
export { type PreconfirmationActions, preconfirmationActions } from './preconfirmation-actions.ts'
export {
  type RollbedChain,
  type RollbedChainDescription,
  rollbedChain,
  rollbedL1Chain,
} from './rollbed-chain.ts'
export { type TestActions, testActions } from './test-actions.ts'
export type { WaitParameters } from './wait-until.ts'
export type { WatchFlashblocksParameters } from './watch-flashblocks.ts'
export type { PendingLog, WatchPendingLogsParameters } from './watch-pending-logs.ts'
