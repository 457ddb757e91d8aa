/**
 * The methods of anvil 1.7.1, by namespace. Over its socket anvil does not tell a method that it lacks
 * from one with wrong parameters; a test asks it for each over HTTP, where it does.
 */
const NAMES: Readonly<Record<string, string>> = {
  anvil: `
    addBalance autoImpersonateAccount dealERC20 dropAllTransactions dropTransaction
    dumpState getAutomine getBlobByHash getBlobsByTransactionHash getGenesisTime
    getIntervalMining impersonateAccount impersonateSignature increaseTime loadState
    metadata mine mine_detailed nodeInfo removeBlockTimestampInterval removePoolTransactions
    reorg reset revert rollback setAutomine setBalance setBlockGasLimit
    setBlockTimestampInterval setChainId setCode setCoinbase setERC20Allowance
    setERC20Balance setFeeAmmLiquidity setFeeToken setIntervalMining setLoggingEnabled
    setMinGasPrice setNextBlockBaseFeePerGas setNextBlockTimestamp setNonce setRpcUrl
    setStorageAt setTime snapshot stopImpersonatingAccount
  `,
  debug: `
    codeByHash dbGet getRawTransaction traceBlockByHash traceBlockByNumber traceCall
    traceTransaction
  `,
  erigon: 'getHeaderByNumber',
  eth: `
    accounts blobBaseFee blockNumber call chainId coinbase config createAccessList
    estimateGas feeHistory fillTransaction gasPrice getAccount getAccountInfo getBalance
    getBlockByHash getBlockByNumber getBlockReceipts getBlockTransactionCountByHash
    getBlockTransactionCountByNumber getCode getFilterChanges getFilterLogs getLogs getProof
    getRawTransactionByBlockHashAndIndex getRawTransactionByBlockNumberAndIndex
    getRawTransactionByHash getStorageAt getStorageValues getTransactionByBlockHashAndIndex
    getTransactionByBlockNumberAndIndex getTransactionByHash getTransactionBySenderAndNonce
    getTransactionCount getTransactionReceipt getUncleByBlockHashAndIndex
    getUncleByBlockNumberAndIndex getUncleCountByBlockHash getUncleCountByBlockNumber
    getWork hashrate maxPriorityFeePerGas newBlockFilter newFilter
    newPendingTransactionFilter protocolVersion requestAccounts sendRawTransaction
    sendRawTransactionSync sendTransaction sendTransactionSync sendUnsignedTransaction sign
    signTransaction signTypedData signTypedData_v3 signTypedData_v4 simulateV1
    submitHashrate submitWork syncing uninstallFilter
  `,
  evm: `
    increaseTime mine mine_detailed revert setAccountNonce setAutomine setBlockGasLimit
    setIntervalMining setNextBlockTimestamp setTime snapshot
  `,
  hardhat: `
    addBalance autoImpersonateAccount dealERC20 dropAllTransactions dropTransaction
    dumpState getAutomine impersonateAccount loadState metadata mine reset setBalance
    setCode setCoinbase setLoggingEnabled setMinGasPrice setNextBlockBaseFeePerGas setNonce
    setStorageAt stopImpersonatingAccount
  `,
  net: 'listening version',
  ots: `
    getApiLevel getBlockDetails getBlockDetailsByHash getBlockTransactions
    getContractCreator getInternalOperations getTransactionBySenderAndNonce
    getTransactionError hasCode searchTransactionsAfter searchTransactionsBefore
    traceTransaction
  `,
  personal: 'sign',
  tenderly: 'addBalance setBalance',
  trace: 'block filter replayBlockTransactions transaction',
  txpool: 'content inspect status',
  web3: 'clientVersion sha3',
}

export const ANVIL_METHODS: ReadonlySet<string> = new Set(
  Object.entries(NAMES).flatMap(([space, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => `${space}_${name}`),
  ),
)
