import { rollbedAttributionStats } from './attribution/rollbed-attribution-stats.ts'
import { rollbedGetAttribution } from './attribution/rollbed-get-attribution.ts'
import { debugExecutePayload } from './debug/debug-execute-payload.ts'
import {
  debugExecutionWitness,
  debugExecutionWitnessByBlockHash,
} from './debug/debug-execution-witness.ts'
import { debugGetBadBlocks } from './debug/debug-get-bad-blocks.ts'
import { debugGetRawTransactions } from './debug/debug-get-raw-transactions.ts'
import { ethGetFilterChanges } from './filters/eth-get-filter-changes.ts'
import { ethGetFilterLogs } from './filters/eth-get-filter-logs.ts'
import { ethNewBlockFilter } from './filters/eth-new-block-filter.ts'
import { ethNewFilter } from './filters/eth-new-filter.ts'
import { ethNewPendingTransactionFilter } from './filters/eth-new-pending-transaction-filter.ts'
import { ethUninstallFilter } from './filters/eth-uninstall-filter.ts'
import { baseTransactionStatus } from './methods/base-transaction-status.ts'
import { debugDbGet } from './methods/debug-db-get.ts'
import { debugGetRawBlock } from './methods/debug-get-raw-block.ts'
import { debugGetRawHeader } from './methods/debug-get-raw-header.ts'
import { debugGetRawReceipts } from './methods/debug-get-raw-receipts.ts'
import { debugGetRawTransaction } from './methods/debug-get-raw-transaction.ts'
import { ethAccounts } from './methods/eth-accounts.ts'
import { ethBlobBaseFee } from './methods/eth-blob-base-fee.ts'
import { ethBlockNumber } from './methods/eth-block-number.ts'
import { ethCall } from './methods/eth-call.ts'
import { ethChainId } from './methods/eth-chain-id.ts'
import { ethEstimateGas } from './methods/eth-estimate-gas.ts'
import { ethFeeHistory } from './methods/eth-fee-history.ts'
import { ethGasPrice } from './methods/eth-gas-price.ts'
import { ethGetBalance } from './methods/eth-get-balance.ts'
import { ethGetBlockByHash } from './methods/eth-get-block-by-hash.ts'
import { ethGetBlockByNumber } from './methods/eth-get-block-by-number.ts'
import { ethGetBlockReceipts } from './methods/eth-get-block-receipts.ts'
import {
  ethGetBlockTransactionCountByHash,
  ethGetBlockTransactionCountByNumber,
} from './methods/eth-get-block-transaction-count.ts'
import { ethGetCode } from './methods/eth-get-code.ts'
import { ethGetLogs } from './methods/eth-get-logs.ts'
import { ethGetProof } from './methods/eth-get-proof.ts'
import { ethGetRawTransactionByHash } from './methods/eth-get-raw-transaction-by-hash.ts'
import { ethGetStorageAt } from './methods/eth-get-storage-at.ts'
import { ethGetTransactionByHash } from './methods/eth-get-transaction-by-hash.ts'
import {
  ethGetTransactionByBlockHashAndIndex,
  ethGetTransactionByBlockNumberAndIndex,
} from './methods/eth-get-transaction-by-index.ts'
import { ethGetTransactionCount } from './methods/eth-get-transaction-count.ts'
import { ethGetTransactionReceipt } from './methods/eth-get-transaction-receipt.ts'
import {
  ethGetUncleByBlockHashAndIndex,
  ethGetUncleByBlockNumberAndIndex,
  ethGetUncleCountByBlockHash,
  ethGetUncleCountByBlockNumber,
} from './methods/eth-get-uncle.ts'
import { ethMaxPriorityFeePerGas } from './methods/eth-max-priority-fee-per-gas.ts'
import { ethProtocolVersion } from './methods/eth-protocol-version.ts'
import { ethSendRawTransaction } from './methods/eth-send-raw-transaction.ts'
import { ethSendRawTransactionSync } from './methods/eth-send-raw-transaction-sync.ts'
import { ethSimulateV1 } from './methods/eth-simulate-v1.ts'
import { ethSyncing } from './methods/eth-syncing.ts'
import { netListening } from './methods/net-listening.ts'
import { netPeerCount } from './methods/net-peer-count.ts'
import { netVersion } from './methods/net-version.ts'
import { web3ClientVersion } from './methods/web3-client-version.ts'
import { web3Sha3 } from './methods/web3-sha3.ts'
import type { NodeMethod } from './node-rpc.ts'
import {
  debugTraceBlock,
  debugTraceBlockByHash,
  debugTraceBlockByNumber,
} from './traces/debug-trace-block.ts'
import { debugTraceCall } from './traces/debug-trace-call.ts'
import { debugTraceTransaction } from './traces/debug-trace-transaction.ts'
import { ethCreateAccessList } from './traces/eth-create-access-list.ts'

/** Every method of the node by its name on the wire, but for subscriptions. */
export const METHOD_TABLE = {
  base_transactionStatus: baseTransactionStatus,
  debug_dbGet: debugDbGet,
  debug_executePayload: debugExecutePayload,
  debug_executionWitness: debugExecutionWitness,
  debug_executionWitnessByBlockHash: debugExecutionWitnessByBlockHash,
  debug_getBadBlocks: debugGetBadBlocks,
  debug_getRawBlock: debugGetRawBlock,
  debug_getRawHeader: debugGetRawHeader,
  debug_getRawReceipts: debugGetRawReceipts,
  debug_getRawTransaction: debugGetRawTransaction,
  debug_getRawTransactions: debugGetRawTransactions,
  debug_traceBlock: debugTraceBlock,
  debug_traceBlockByHash: debugTraceBlockByHash,
  debug_traceBlockByNumber: debugTraceBlockByNumber,
  debug_traceCall: debugTraceCall,
  debug_traceTransaction: debugTraceTransaction,
  eth_accounts: ethAccounts,
  eth_blobBaseFee: ethBlobBaseFee,
  eth_blockNumber: ethBlockNumber,
  eth_call: ethCall,
  eth_chainId: ethChainId,
  eth_createAccessList: ethCreateAccessList,
  eth_estimateGas: ethEstimateGas,
  eth_feeHistory: ethFeeHistory,
  eth_gasPrice: ethGasPrice,
  eth_getBalance: ethGetBalance,
  eth_getBlockByHash: ethGetBlockByHash,
  eth_getBlockByNumber: ethGetBlockByNumber,
  eth_getBlockReceipts: ethGetBlockReceipts,
  eth_getBlockTransactionCountByHash: ethGetBlockTransactionCountByHash,
  eth_getBlockTransactionCountByNumber: ethGetBlockTransactionCountByNumber,
  eth_getCode: ethGetCode,
  eth_getFilterChanges: ethGetFilterChanges,
  eth_getFilterLogs: ethGetFilterLogs,
  eth_getLogs: ethGetLogs,
  eth_getProof: ethGetProof,
  eth_getRawTransactionByHash: ethGetRawTransactionByHash,
  eth_getStorageAt: ethGetStorageAt,
  eth_getTransactionByBlockHashAndIndex: ethGetTransactionByBlockHashAndIndex,
  eth_getTransactionByBlockNumberAndIndex: ethGetTransactionByBlockNumberAndIndex,
  eth_getTransactionByHash: ethGetTransactionByHash,
  eth_getTransactionCount: ethGetTransactionCount,
  eth_getTransactionReceipt: ethGetTransactionReceipt,
  eth_getUncleByBlockHashAndIndex: ethGetUncleByBlockHashAndIndex,
  eth_getUncleByBlockNumberAndIndex: ethGetUncleByBlockNumberAndIndex,
  eth_getUncleCountByBlockHash: ethGetUncleCountByBlockHash,
  eth_getUncleCountByBlockNumber: ethGetUncleCountByBlockNumber,
  eth_maxPriorityFeePerGas: ethMaxPriorityFeePerGas,
  eth_newBlockFilter: ethNewBlockFilter,
  eth_newFilter: ethNewFilter,
  eth_newPendingTransactionFilter: ethNewPendingTransactionFilter,
  eth_protocolVersion: ethProtocolVersion,
  eth_sendRawTransaction: ethSendRawTransaction,
  eth_sendRawTransactionSync: ethSendRawTransactionSync,
  eth_simulateV1: ethSimulateV1,
  eth_syncing: ethSyncing,
  eth_uninstallFilter: ethUninstallFilter,
  net_listening: netListening,
  net_peerCount: netPeerCount,
  net_version: netVersion,
  rollbed_attributionStats: rollbedAttributionStats,
  rollbed_getAttribution: rollbedGetAttribution,
  web3_clientVersion: web3ClientVersion,
  web3_sha3: web3Sha3,
} as const satisfies Record<string, NodeMethod>
