import {
  createPublicClient,
  createWalletClient,
  type PublicActions,
  type PublicClient,
  publicActions,
  type WalletClient,
  type WebSocketTransport,
  webSocket,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { DevnetBranch } from '#devnet/rollup/start/open-branch'
import { RollbedError } from '#protocol/errors/rollbed-error'
import {
  type PreconfirmationActions,
  preconfirmationActions,
} from '../viem/preconfirmation-actions.ts'
import { type RollbedChain, rollbedChain } from '../viem/rollbed-chain.ts'
import { type TestActions, testActions } from '../viem/test-actions.ts'
import { accountOf } from './account-of.ts'
import { type ChainClock, chainClock } from './chain-clock.ts'
import { type ChainFaults, chainFaults, type TestFaults } from './chain-faults.ts'
import { connectInProcess } from './connect-in-process.ts'

/** Reads, waits, watches and controls. */
export type SceneClient = PublicClient<WebSocketTransport, RollbedChain> &
  PreconfirmationActions<RollbedChain, undefined> &
  TestActions

/** The same for one account, and it sends. */
export type SceneWallet = WalletClient<WebSocketTransport, RollbedChain, PrivateKeyAccount> &
  PublicActions<WebSocketTransport, RollbedChain, PrivateKeyAccount> &
  PreconfirmationActions<RollbedChain, PrivateKeyAccount> &
  TestActions

/** What a test on a branch works with. */
export interface TestScene {
  chain: RollbedChain
  client: SceneClient
  /** Of the first of the devnet's accounts. */
  wallet: SceneWallet
  /**
   * @param index 0 to 9: of one of the ten accounts, all rich
   * @throws RollbedError NO_SUCH_ACCOUNT
   */
  walletOf(index: number): SceneWallet
  clock: ChainClock
  faults: ChainFaults
  /** Ends what faults are left, and closes the connection. */
  close(): Promise<void>
}

/** @throws RollbedError NO_SUCH_ACCOUNT; `walletOf` does */
export function testScene(description: DevnetDescription, branch: DevnetBranch): TestScene {
  const { rpcUrl, wsUrl, inProcess } = branch
  const chain = rollbedChain({ ...description, rpcUrl, wsUrl })
  const socketUrl = chain.rpcUrls.default.webSocket?.[0] ?? wsUrl
  if (inProcess) connectInProcess(socketUrl, inProcess)
  const transport = webSocket(socketUrl, { reconnect: false })
  const walletOf = (index: number) => {
    const key = description.accounts[index]
    if (!key) throw noSuchAccount(index, description.accounts.length)
    return walletOn(chain, transport, accountOf(key.privateKey))
  }
  // Each when it is first asked: a client takes as long to make as a call to answer, and few tests use all.
  let client: SceneClient | undefined
  let wallet: SceneWallet | undefined
  let faults: TestFaults | undefined
  const clientOnce = () => {
    client ??= clientOn(chain, transport)
    return client
  }
  return {
    chain,
    walletOf,
    get client() {
      return clientOnce()
    },
    get wallet() {
      wallet ??= walletOf(0)
      return wallet
    },
    get clock() {
      return chainClock(clientOnce())
    },
    get faults() {
      faults ??= chainFaults(clientOnce(), description)
      return faults.faults
    },
    async close() {
      try {
        await faults?.clearAll()
      } finally {
        const { getRpcClient } = transport({ chain }).value!
        const connection = await getRpcClient()
        connection.close()
      }
    },
  }
}

const noSuchAccount = (index: number, count: number) =>
  new RollbedError(
    'NO_SUCH_ACCOUNT',
    `There is no account ${index}: this devnet has ${count}, and the first is 0.`,
  )

const clientOn = (chain: RollbedChain, transport: WebSocketTransport): SceneClient =>
  createPublicClient({ chain, transport }).extend(preconfirmationActions()).extend(testActions())

const walletOn = (
  chain: RollbedChain,
  transport: WebSocketTransport,
  account: PrivateKeyAccount,
): SceneWallet =>
  createWalletClient({ chain, transport, account })
    .extend(publicActions)
    .extend(preconfirmationActions())
    .extend(testActions())
