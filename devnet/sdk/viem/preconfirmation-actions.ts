import type {
  Abi,
  Account,
  Chain,
  Client,
  ContractEventName,
  ContractFunctionArgs,
  ContractFunctionName,
  GetTransactionReceiptReturnType,
  SendTransactionSyncParameters,
  SendTransactionSyncRequest,
  SendTransactionSyncReturnType,
  Transport,
  WriteContractSyncParameters,
} from 'viem'
import { sendTransactionSync, writeContractSync } from 'viem/actions'
import { type MaximumValue, type MaximumValueParameters, maximumValue } from './maximum-value.ts'
import { asDropped } from './transaction-dropped.ts'
import { requireSuccess } from './transaction-reverted.ts'
import { type WaitParameters, waitUntil } from './wait-until.ts'
import { type WatchDroppedParameters, watchDropped } from './watch-dropped.ts'
import { type WatchFlashblocksParameters, watchFlashblocks } from './watch-flashblocks.ts'
import { type WatchPendingLogsParameters, watchPendingLogs } from './watch-pending-logs.ts'
import { type WatchReorgsParameters, watchReorgs } from './watch-reorgs.ts'

/** What a client of a chain with pre-confirmations can do beside the usual. */
export type PreconfirmationActions<
  chain extends Chain | undefined = Chain | undefined,
  account extends Account | undefined = Account | undefined,
> = {
  /**
   * Sends a transaction and waits until it is pre-confirmed, some 200 ms (`eth_sendRawTransactionSync`,
   * EIP-7966).
   * @throws RollbedError TRANSACTION_REVERTED, with receipt and reason, unless `throwOnReceiptRevert` is false;
   * TRANSACTION_DROPPED at once where the pool gives it up
   * @example
   * import { createWalletClient, http } from 'viem'
   * import { privateKeyToAccount } from 'viem/accounts'
   * import { preconfirmationActions, rollbedChain } from 'rollbed/viem'
   *
   * const { accounts } = devnet.description
   * const wallet = createWalletClient({
   *   account: privateKeyToAccount(accounts[0].privateKey),
   *   chain: rollbedChain(devnet.description),
   *   transport: http(),
   * }).extend(preconfirmationActions())
   * const receipt = await wallet.sendAndPreconfirm({ to: accounts[1].address, value: 1n })
   * await wallet.waitUntilSealed({ hash: receipt.transactionHash })
   */
  sendAndPreconfirm<
    const request extends SendTransactionSyncRequest<chain, chainOverride>,
    chainOverride extends Chain | undefined = undefined,
  >(
    parameters: SendTransactionSyncParameters<chain, account, chainOverride, request>,
  ): Promise<SendTransactionSyncReturnType<chain>>
  /**
   * The same for a call of a contract; the reason of a revert is decoded by its ABI.
   * @throws RollbedError TRANSACTION_REVERTED, unless `throwOnReceiptRevert` is false, TRANSACTION_DROPPED
   */
  writeAndPreconfirm<
    const abi extends Abi | readonly unknown[],
    functionName extends ContractFunctionName<abi, 'nonpayable' | 'payable'>,
    args extends ContractFunctionArgs<abi, 'nonpayable' | 'payable', functionName>,
    chainOverride extends Chain | undefined = undefined,
  >(
    parameters: WriteContractSyncParameters<abi, functionName, args, chain, account, chainOverride>,
  ): Promise<SendTransactionSyncReturnType<chain>>
  /**
   * The receipt of a transaction that somebody sent, as soon as it is pre-confirmed. Its block cannot
   * be read yet: read state at `pending`. This wait and the next three end at once with the transaction:
   * where it was dropped, the error says why.
   * @throws RollbedError CONFIRMATION_TIMEOUT, TRANSACTION_DROPPED
   */
  waitForPreconfirmation(
    parameters: WaitParameters,
  ): Promise<GetTransactionReceiptReturnType<chain>>
  /**
   * The receipt once `latest` has reached its block.
   * @throws RollbedError CONFIRMATION_TIMEOUT, TRANSACTION_DROPPED
   */
  waitUntilSealed(parameters: WaitParameters): Promise<GetTransactionReceiptReturnType<chain>>
  /**
   * The receipt once its block is derived from L1.
   * @throws RollbedError CONFIRMATION_TIMEOUT, TRANSACTION_DROPPED, CHAIN_DIVERGED where a cheat took
   * the chain off L1
   */
  waitUntilSafe(parameters: WaitParameters): Promise<GetTransactionReceiptReturnType<chain>>
  /**
   * The receipt once its block follows from final L1 blocks.
   * @throws RollbedError CONFIRMATION_TIMEOUT, TRANSACTION_DROPPED, CHAIN_DIVERGED where a cheat took
   * the chain off L1
   */
  waitUntilFinalized(parameters: WaitParameters): Promise<GetTransactionReceiptReturnType<chain>>
  /**
   * Logs of pre-confirmed transactions as they come, each once.
   * @returns ends the subscription
   * @throws RollbedError WEBSOCKET_NEEDED
   * @example
   * import { createPublicClient, parseAbi, webSocket } from 'viem'
   * import { preconfirmationActions, rollbedChain } from 'rollbed/viem'
   *
   * const client = createPublicClient({
   *   chain: rollbedChain(devnet.description),
   *   transport: webSocket(),
   * }).extend(preconfirmationActions())
   * const unwatch = client.watchPendingLogs({
   *   abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
   *   eventName: 'Transfer',
   *   onLog: ({ args }) => console.log(args.value),
   * })
   * unwatch()
   */
  watchPendingLogs<
    const abi extends Abi | undefined = undefined,
    eventName extends
      | (abi extends Abi ? ContractEventName<abi> : undefined)
      | undefined = undefined,
  >(parameters: WatchPendingLogsParameters<abi, eventName>): () => void
  /**
   * The block under construction, every 200 ms.
   * @returns ends the subscription
   * @throws RollbedError WEBSOCKET_NEEDED
   */
  watchFlashblocks(parameters: WatchFlashblocksParameters<chain>): () => void
  /**
   * Transactions that were accepted and will never be in a block, as they are dropped: replaced, found
   * invalid, or gone with their block in a rollback. Of a devnet; over HTTP and WebSocket.
   * @returns ends it
   * @example
   * import { createPublicClient, http } from 'viem'
   * import { preconfirmationActions, rollbedChain } from 'rollbed/viem'
   *
   * const client = createPublicClient({
   *   chain: rollbedChain(devnet.description),
   *   transport: http(),
   * }).extend(preconfirmationActions())
   * const unwatch = client.watchDropped({ onDropped: ({ hash, reason }) => console.log(hash, reason) })
   * unwatch()
   */
  watchDropped(parameters: WatchDroppedParameters): () => void
  /**
   * Sealed blocks that leave the chain, with what takes their place; over HTTP and WebSocket.
   * @returns ends it
   * @example
   * import { createPublicClient, http } from 'viem'
   * import { preconfirmationActions, rollbedChain } from 'rollbed/viem'
   *
   * const client = createPublicClient({
   *   chain: rollbedChain(devnet.description),
   *   transport: http(),
   * }).extend(preconfirmationActions())
   * const unwatch = client.watchReorgs({ onReorg: ({ removed }) => console.log(removed.length) })
   * unwatch()
   */
  watchReorgs(parameters: WatchReorgsParameters): () => void
  /**
   * What an account can send at most, all fees paid, the L1 fee among them.
   * @throws RollbedError BALANCE_TOO_LOW
   */
  getMaximumValue(parameters: MaximumValueParameters): Promise<MaximumValue>
  /**
   * Sends all that the account has, and waits for the pre-confirmation.
   * @throws RollbedError BALANCE_TOO_LOW, TRANSACTION_DROPPED
   * @example
   * import { createWalletClient, http } from 'viem'
   * import { privateKeyToAccount } from 'viem/accounts'
   * import { preconfirmationActions, rollbedChain } from 'rollbed/viem'
   *
   * const { accounts } = devnet.description
   * const wallet = createWalletClient({
   *   account: privateKeyToAccount(accounts[2].privateKey),
   *   chain: rollbedChain(devnet.description),
   *   transport: http(),
   * }).extend(preconfirmationActions())
   * await wallet.sendMaximum({ to: accounts[1].address })
   */
  sendMaximum(parameters: MaximumValueParameters): Promise<SendTransactionSyncReturnType<chain>>
}

/**
 * Pre-confirmations for a viem client: `client.extend(preconfirmationActions())`. Works with any chain
 * that has flashblocks, not only with a devnet.
 * @example
 * import { createPublicClient, http } from 'viem'
 * import { preconfirmationActions, rollbedChain } from 'rollbed/viem'
 *
 * const client = createPublicClient({
 *   chain: rollbedChain(devnet.description),
 *   transport: http(),
 * }).extend(preconfirmationActions())
 * await client.getBlockNumber()
 */
export function preconfirmationActions(): <
  chain extends Chain | undefined = Chain | undefined,
  account extends Account | undefined = Account | undefined,
>(
  client: Client<Transport, chain, account>,
) => PreconfirmationActions<chain, account> {
  return <chain extends Chain | undefined, account extends Account | undefined>(
    client: Client<Transport, chain, account>,
  ): PreconfirmationActions<chain, account> => ({
    async sendAndPreconfirm(parameters) {
      const { throwOnReceiptRevert = true } = parameters as { throwOnReceiptRevert?: boolean }
      const receipt = await sendTransactionSync(client, {
        ...parameters,
        throwOnReceiptRevert: false,
      } as never).catch(throwDropped)
      if (throwOnReceiptRevert) await requireSuccess(client, receipt)
      return receipt
    },
    async writeAndPreconfirm(parameters) {
      const { abi, throwOnReceiptRevert = true } = parameters as {
        abi: Abi
        throwOnReceiptRevert?: boolean
      }
      const receipt = await writeContractSync(client, {
        ...parameters,
        throwOnReceiptRevert: false,
      } as never).catch(throwDropped)
      if (throwOnReceiptRevert) await requireSuccess(client, receipt, abi)
      return receipt
    },
    waitForPreconfirmation: (parameters) => waitUntil(client, 'preconfirmed', parameters),
    waitUntilSealed: (parameters) => waitUntil(client, 'sealed', parameters),
    waitUntilSafe: (parameters) => waitUntil(client, 'safe', parameters),
    waitUntilFinalized: (parameters) => waitUntil(client, 'finalized', parameters),
    watchPendingLogs: (parameters) => watchPendingLogs(client, parameters),
    watchFlashblocks: (parameters) => watchFlashblocks(client, parameters),
    watchDropped: (parameters) => watchDropped(client, parameters),
    watchReorgs: (parameters) => watchReorgs(client, parameters),
    getMaximumValue: (parameters) => maximumValue(client, parameters),
    async sendMaximum(parameters) {
      const { value, gas, maxFeePerGas, maxPriorityFeePerGas } = await maximumValue(
        client,
        parameters,
      )
      const { to, data, account = client.account } = parameters
      const fees = { gas, maxFeePerGas, maxPriorityFeePerGas }
      const request = { account, to, data, value, ...fees } as never
      return await sendTransactionSync(client, request).catch(throwDropped)
    },
  })
}

/** @throws TransactionDropped, or the error itself */
function throwDropped(error: unknown): never {
  throw asDropped(error)
}
