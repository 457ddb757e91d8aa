import { ethAccounts } from './accounts/eth-accounts.ts'
import { ethFillTransaction } from './accounts/eth-fill-transaction.ts'
import { ethSendTransaction, ethSendUnsignedTransaction } from './accounts/eth-send-transaction.ts'
import { ethSign, personalSign } from './accounts/eth-sign.ts'
import { ethSignTransaction } from './accounts/eth-sign-transaction.ts'
import { ethSignTypedDataV4 } from './accounts/eth-sign-typed-data-v4.ts'
import {
  autoImpersonateAccount,
  impersonateAccount,
  stopImpersonatingAccount,
} from './accounts/impersonate-account.ts'
import { rollbedFaucet } from './accounts/rollbed-faucet.ts'
import {
  walletGetCallsStatus,
  walletGetCapabilities,
  walletSendCalls,
} from './accounts/wallet-calls.ts'
import { rollbedBranch, rollbedBranches, rollbedDropBranch } from './chain/branch.ts'
import { metadata, nodeInfo } from './chain/node-info.ts'
import { reorg } from './chain/reorg.ts'
import { reset } from './chain/reset.ts'
import { rollback } from './chain/rollback.ts'
import { rollbedDescription } from './chain/rollbed-description.ts'
import { revert, snapshot } from './chain/snapshot.ts'
import type { CheatMethod } from './cheat-rpc.ts'
import { rollbedFaultClear } from './faults/rollbed-fault-clear.ts'
import { rollbedFaultInject } from './faults/rollbed-fault-inject.ts'
import { rollbedFaultList } from './faults/rollbed-fault-list.ts'
import { getAutomine, setAutomine } from './mining/automine.ts'
import {
  setBlockGasLimit,
  setCoinbase,
  setNextBlockBaseFeePerGas,
  setPrevRandao,
} from './mining/block-conditions.ts'
import { evmMine } from './mining/evm-mine.ts'
import { getIntervalMining, setIntervalMining } from './mining/interval-mining.ts'
import { mine } from './mining/mine.ts'
import { rollbedFlashblock, rollbedSeal } from './mining/rollbed-steps.ts'
import { notSupported } from './not-supported.ts'
import {
  dropAllTransactions,
  dropTransaction,
  removePoolTransactions,
} from './pool/drop-transactions.ts'
import { ethPendingTransactions } from './pool/eth-pending-transactions.ts'
import { dumpState, loadState } from './state/dump-state.ts'
import { addBalance, setBalance } from './state/set-balance.ts'
import { setCode } from './state/set-code.ts'
import { setNonce } from './state/set-nonce.ts'
import { setStorageAt } from './state/set-storage-at.ts'
import {
  removeBlockTimestampInterval,
  setBlockTimestampInterval,
} from './time/block-timestamp-interval.ts'
import { increaseTime } from './time/increase-time.ts'
import { rollbedIncreaseTime, rollbedSetTime } from './time/rollbed-time.ts'
import { setNextBlockTimestamp } from './time/set-next-block-timestamp.ts'
import { setTime } from './time/set-time.ts'
import { rollbedDrops } from './watching/rollbed-drops.ts'
import { rollbedRequestLog } from './watching/rollbed-request-log.ts'
import { rollbedSubscriptions } from './watching/rollbed-subscriptions.ts'

const noFork = notSupported(
  "This devnet is no fork: 'rollbed up --fork-url' starts one, and there this names another URL of the same chain.",
)

/** What anvil calls `anvil_x` and Hardhat `hardhat_x`. */
const SHARED: Record<string, CheatMethod> = {
  autoImpersonateAccount,
  dropTransaction,
  dumpState,
  getAutomine,
  impersonateAccount,
  loadState,
  metadata,
  mine,
  reset,
  setBalance,
  setCode,
  setCoinbase,
  setLoggingEnabled: () => null,
  setMinGasPrice: notSupported('Fees follow EIP-1559: use setNextBlockBaseFeePerGas.'),
  setNextBlockBaseFeePerGas,
  setNonce,
  setPrevRandao,
  setStorageAt,
  stopImpersonatingAccount,
}

/** The methods of a devnet that may be cheated, by their names on the wire. */
export const CHEAT_TABLE: Readonly<Record<string, CheatMethod>> = {
  ...prefixed('anvil', SHARED),
  ...prefixed('hardhat', SHARED),
  anvil_addBalance: addBalance,
  anvil_dropAllTransactions: dropAllTransactions,
  anvil_getIntervalMining: getIntervalMining,
  anvil_increaseTime: increaseTime,
  anvil_nodeInfo: nodeInfo,
  anvil_removeBlockTimestampInterval: removeBlockTimestampInterval,
  anvil_removePoolTransactions: removePoolTransactions,
  anvil_reorg: reorg,
  anvil_revert: revert,
  anvil_rollback: rollback,
  anvil_setAutomine: setAutomine,
  anvil_setBlockGasLimit: setBlockGasLimit,
  anvil_setBlockTimestampInterval: setBlockTimestampInterval,
  anvil_setChainId: notSupported('The chain id is part of the rollup configuration.'),
  anvil_setIntervalMining: setIntervalMining,
  anvil_setNextBlockTimestamp: setNextBlockTimestamp,
  anvil_setRpcUrl: noFork,
  anvil_setTime: setTime,
  anvil_snapshot: snapshot,
  eth_accounts: ethAccounts,
  eth_fillTransaction: ethFillTransaction,
  eth_pendingTransactions: ethPendingTransactions,
  eth_sendTransaction: ethSendTransaction,
  eth_sendUnsignedTransaction: ethSendUnsignedTransaction,
  eth_sign: ethSign,
  eth_signTransaction: ethSignTransaction,
  eth_signTypedData_v4: ethSignTypedDataV4,
  evm_increaseTime: increaseTime,
  evm_mine: evmMine,
  evm_revert: revert,
  evm_setAccountBalance: setBalance,
  evm_setAccountCode: setCode,
  evm_setAccountNonce: setNonce,
  evm_setAccountStorageAt: setStorageAt,
  evm_setAutomine: setAutomine,
  evm_setBlockGasLimit: setBlockGasLimit,
  evm_setIntervalMining: setIntervalMining,
  evm_setNextBlockTimestamp: setNextBlockTimestamp,
  evm_setTime: setTime,
  evm_snapshot: snapshot,
  personal_sign: personalSign,
  rollbed_branch: rollbedBranch,
  rollbed_branches: rollbedBranches,
  rollbed_description: rollbedDescription,
  rollbed_dropBranch: rollbedDropBranch,
  rollbed_drops: rollbedDrops,
  rollbed_faucet: rollbedFaucet,
  rollbed_faultClear: rollbedFaultClear,
  rollbed_faultInject: rollbedFaultInject,
  rollbed_faultList: rollbedFaultList,
  rollbed_flashblock: rollbedFlashblock,
  rollbed_increaseTime: rollbedIncreaseTime,
  rollbed_requestLog: rollbedRequestLog,
  rollbed_seal: rollbedSeal,
  rollbed_setTime: rollbedSetTime,
  rollbed_subscriptions: rollbedSubscriptions,
  tenderly_addBalance: addBalance,
  tenderly_setBalance: setBalance,
  wallet_getCallsStatus: walletGetCallsStatus,
  wallet_getCapabilities: walletGetCapabilities,
  wallet_sendCalls: walletSendCalls,
}

function prefixed(prefix: string, methods: Record<string, CheatMethod>) {
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [`${prefix}_${name}`, method]),
  )
}
