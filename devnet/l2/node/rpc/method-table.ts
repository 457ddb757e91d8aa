import { baseTransactionStatus } from './methods/base/base-transaction-status.ts'
import { debugDbGet } from './methods/debug/debug-db-get.ts'
import { debugExecutePayload } from './methods/debug/debug-execute-payload.ts'
import {
  debugExecutionWitness,
  debugExecutionWitnessByBlockHash,
} from './methods/debug/debug-execution-witness.ts'
import { debugGetBadBlocks } from './methods/debug/debug-get-bad-blocks.ts'
import { debugGetRawBlock } from './methods/debug/debug-get-raw-block.ts'
import { debugGetRawHeader } from './methods/debug/debug-get-raw-header.ts'
import { debugGetRawReceipts } from './methods/debug/debug-get-raw-receipts.ts'
import { debugGetRawTransaction } from './methods/debug/debug-get-raw-transaction.ts'
import { debugGetRawTransactions } from './methods/debug/debug-get-raw-transactions.ts'
import {
  debugTraceBlock,
  debugTraceBlockByHash,
  debugTraceBlockByNumber,
} from './methods/debug/debug-trace-block.ts'
import { debugTraceCall } from './methods/debug/debug-trace-call.ts'
import { debugTraceTransaction } from './methods/debug/debug-trace-transaction.ts'
import { erigonGetHeaderByNumber } from './methods/erigon/erigon-get-header-by-number.ts'
import { ethAccounts } from './methods/eth/eth-accounts.ts'
import { ethBaseFee } from './methods/eth/eth-base-fee.ts'
import { ethBlobBaseFee } from './methods/eth/eth-blob-base-fee.ts'
import { ethBlockNumber } from './methods/eth/eth-block-number.ts'
import { ethCall } from './methods/eth/eth-call.ts'
import { ethCapabilities } from './methods/eth/eth-capabilities.ts'
import { ethChainId } from './methods/eth/eth-chain-id.ts'
import { ethCoinbase } from './methods/eth/eth-coinbase.ts'
import { ethConfig } from './methods/eth/eth-config.ts'
import { ethCreateAccessList } from './methods/eth/eth-create-access-list.ts'
import { ethEstimateGas } from './methods/eth/eth-estimate-gas.ts'
import { ethFeeHistory } from './methods/eth/eth-fee-history.ts'
import { ethGasPrice } from './methods/eth/eth-gas-price.ts'
import { ethGetAccountInfo } from './methods/eth/eth-get-account-info.ts'
import { ethGetBalance } from './methods/eth/eth-get-balance.ts'
import { ethGetBlockByHash } from './methods/eth/eth-get-block-by-hash.ts'
import { ethGetBlockByNumber } from './methods/eth/eth-get-block-by-number.ts'
import { ethGetBlockReceipts } from './methods/eth/eth-get-block-receipts.ts'
import {
  ethGetBlockTransactionCountByHash,
  ethGetBlockTransactionCountByNumber,
} from './methods/eth/eth-get-block-transaction-count.ts'
import { ethGetCode } from './methods/eth/eth-get-code.ts'
import { ethGetFilterChanges } from './methods/eth/eth-get-filter-changes.ts'
import { ethGetFilterLogs } from './methods/eth/eth-get-filter-logs.ts'
import { ethGetHeaderByHash, ethGetHeaderByNumber } from './methods/eth/eth-get-header.ts'
import { ethGetLogs } from './methods/eth/eth-get-logs.ts'
import { ethGetProof } from './methods/eth/eth-get-proof.ts'
import { ethGetRawTransactionByHash } from './methods/eth/eth-get-raw-transaction-by-hash.ts'
import { ethGetStorageAt } from './methods/eth/eth-get-storage-at.ts'
import { ethGetStorageValues } from './methods/eth/eth-get-storage-values.ts'
import { ethGetTransactionByHash } from './methods/eth/eth-get-transaction-by-hash.ts'
import {
  ethGetTransactionByBlockHashAndIndex,
  ethGetTransactionByBlockNumberAndIndex,
} from './methods/eth/eth-get-transaction-by-index.ts'
import { ethGetTransactionCount } from './methods/eth/eth-get-transaction-count.ts'
import { ethGetTransactionReceipt } from './methods/eth/eth-get-transaction-receipt.ts'
import {
  ethGetUncleByBlockHashAndIndex,
  ethGetUncleByBlockNumberAndIndex,
  ethGetUncleCountByBlockHash,
  ethGetUncleCountByBlockNumber,
} from './methods/eth/eth-get-uncle.ts'
import { ethMaxPriorityFeePerGas } from './methods/eth/eth-max-priority-fee-per-gas.ts'
import { ethNewBlockFilter } from './methods/eth/eth-new-block-filter.ts'
import { ethNewFilter } from './methods/eth/eth-new-filter.ts'
import { ethNewPendingTransactionFilter } from './methods/eth/eth-new-pending-transaction-filter.ts'
import { ethProtocolVersion } from './methods/eth/eth-protocol-version.ts'
import { ethSendRawTransaction } from './methods/eth/eth-send-raw-transaction.ts'
import { ethSendRawTransactionSync } from './methods/eth/eth-send-raw-transaction-sync.ts'
import { ethSimulateV1 } from './methods/eth/eth-simulate-v1.ts'
import { ethSyncing } from './methods/eth/eth-syncing.ts'
import { ethUninstallFilter } from './methods/eth/eth-uninstall-filter.ts'
import { netListening } from './methods/net/net-listening.ts'
import { netPeerCount } from './methods/net/net-peer-count.ts'
import { netVersion } from './methods/net/net-version.ts'
import { otsGetApiLevel } from './methods/ots/ots-get-api-level.ts'
import {
  otsGetBlockDetails,
  otsGetBlockDetailsByHash,
} from './methods/ots/ots-get-block-details.ts'
import { otsGetBlockTransactions } from './methods/ots/ots-get-block-transactions.ts'
import { otsGetContractCreator } from './methods/ots/ots-get-contract-creator.ts'
import { otsGetInternalOperations } from './methods/ots/ots-get-internal-operations.ts'
import { otsGetTransactionBySenderAndNonce } from './methods/ots/ots-get-transaction-by-sender-and-nonce.ts'
import { otsGetTransactionError } from './methods/ots/ots-get-transaction-error.ts'
import { otsHasCode } from './methods/ots/ots-has-code.ts'
import {
  otsSearchTransactionsAfter,
  otsSearchTransactionsBefore,
} from './methods/ots/ots-search-transactions.ts'
import { otsTraceTransaction } from './methods/ots/ots-trace-transaction.ts'
import { rollbedAttributionStats } from './methods/rollbed/rollbed-attribution-stats.ts'
import { rollbedContracts } from './methods/rollbed/rollbed-contracts.ts'
import { rollbedGetAttribution } from './methods/rollbed/rollbed-get-attribution.ts'
import { rollbedTransactionsOf } from './methods/rollbed/rollbed-transactions-of.ts'
import { traceBlock } from './methods/trace/trace-block.ts'
import { traceTransaction } from './methods/trace/trace-transaction.ts'
import { txpoolContent } from './methods/txpool/txpool-content.ts'
import { txpoolContentFrom } from './methods/txpool/txpool-content-from.ts'
import { txpoolInspect } from './methods/txpool/txpool-inspect.ts'
import { txpoolStatus } from './methods/txpool/txpool-status.ts'
import { web3ClientVersion } from './methods/web3/web3-client-version.ts'
import { web3Sha3 } from './methods/web3/web3-sha3.ts'
import type { NodeMethod } from './node-rpc.ts'

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
  erigon_getHeaderByNumber: erigonGetHeaderByNumber,
  eth_accounts: ethAccounts,
  eth_baseFee: ethBaseFee,
  eth_blobBaseFee: ethBlobBaseFee,
  eth_blockNumber: ethBlockNumber,
  eth_call: ethCall,
  eth_capabilities: ethCapabilities,
  eth_chainId: ethChainId,
  eth_coinbase: ethCoinbase,
  eth_config: ethConfig,
  eth_createAccessList: ethCreateAccessList,
  eth_estimateGas: ethEstimateGas,
  eth_feeHistory: ethFeeHistory,
  eth_gasPrice: ethGasPrice,
  eth_getAccountInfo: ethGetAccountInfo,
  eth_getBalance: ethGetBalance,
  eth_getBlockByHash: ethGetBlockByHash,
  eth_getBlockByNumber: ethGetBlockByNumber,
  eth_getBlockReceipts: ethGetBlockReceipts,
  eth_getBlockTransactionCountByHash: ethGetBlockTransactionCountByHash,
  eth_getBlockTransactionCountByNumber: ethGetBlockTransactionCountByNumber,
  eth_getCode: ethGetCode,
  eth_getFilterChanges: ethGetFilterChanges,
  eth_getFilterLogs: ethGetFilterLogs,
  eth_getHeaderByHash: ethGetHeaderByHash,
  eth_getHeaderByNumber: ethGetHeaderByNumber,
  eth_getLogs: ethGetLogs,
  eth_getProof: ethGetProof,
  eth_getRawTransactionByHash: ethGetRawTransactionByHash,
  eth_getStorageAt: ethGetStorageAt,
  eth_getStorageValues: ethGetStorageValues,
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
  ots_getApiLevel: otsGetApiLevel,
  ots_getBlockDetails: otsGetBlockDetails,
  ots_getBlockDetailsByHash: otsGetBlockDetailsByHash,
  ots_getBlockTransactions: otsGetBlockTransactions,
  ots_getContractCreator: otsGetContractCreator,
  ots_getInternalOperations: otsGetInternalOperations,
  ots_getTransactionBySenderAndNonce: otsGetTransactionBySenderAndNonce,
  ots_getTransactionError: otsGetTransactionError,
  ots_hasCode: otsHasCode,
  ots_searchTransactionsAfter: otsSearchTransactionsAfter,
  ots_searchTransactionsBefore: otsSearchTransactionsBefore,
  ots_traceTransaction: otsTraceTransaction,
  rollbed_attributionStats: rollbedAttributionStats,
  rollbed_contracts: rollbedContracts,
  rollbed_getAttribution: rollbedGetAttribution,
  rollbed_transactionsOf: rollbedTransactionsOf,
  trace_block: traceBlock,
  trace_transaction: traceTransaction,
  txpool_content: txpoolContent,
  txpool_contentFrom: txpoolContentFrom,
  txpool_inspect: txpoolInspect,
  txpool_status: txpoolStatus,
  web3_clientVersion: web3ClientVersion,
  web3_sha3: web3Sha3,
} as const satisfies Record<string, NodeMethod>
