import { createPublicClient, createWalletClient, publicActions, webSocket } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { DevnetDescription } from '../../devnet-description.ts'
import type { DevnetBranch } from '../open-branch.ts'
import { preconfirmationActions } from '../viem/preconfirmation-actions.ts'
import { type RollbedChain, rollbedChain } from '../viem/rollbed-chain.ts'
import { testActions } from '../viem/test-actions.ts'
import { type ChainClock, chainClock } from './chain-clock.ts'
import { type ChainFaults, chainFaults } from './chain-faults.ts'

/** Reads, waits, watches and controls. */
export type SceneClient = ReturnType<typeof clientOn>

/** The same for one account, and it sends. */
export type SceneWallet = ReturnType<typeof walletOn>

/** What a test on a branch works with. */
export interface TestScene {
  chain: RollbedChain
  client: SceneClient
  /** Of the first of the devnet's accounts. */
  wallet: SceneWallet
  /** @param index of one of the ten accounts, all rich */
  walletOf(index: number): SceneWallet
  clock: ChainClock
  faults: ChainFaults
  /** Closes the connection. */
  close(): Promise<void>
}

export function testScene(description: DevnetDescription, branch: DevnetBranch): TestScene {
  const { rpcUrl, wsUrl } = branch
  const chain = rollbedChain({ ...description, rpcUrl, wsUrl })
  const transport = webSocket(wsUrl, { reconnect: false })
  const client = clientOn(chain, transport)
  const walletOf = (index: number) => {
    const { privateKey } = description.accounts[index] ?? description.accounts[0]!
    return walletOn(chain, transport, privateKeyToAccount(privateKey))
  }
  return {
    chain,
    client,
    wallet: walletOf(0),
    walletOf,
    clock: chainClock(client),
    faults: chainFaults(client),
    close: async () => (await client.transport.getRpcClient()).close(),
  }
}

type Transport = ReturnType<typeof webSocket>

const clientOn = (chain: RollbedChain, transport: Transport) =>
  createPublicClient({ chain, transport }).extend(preconfirmationActions()).extend(testActions())

const walletOn = (chain: RollbedChain, transport: Transport, account: PrivateKeyAccount) =>
  createWalletClient({ chain, transport, account })
    .extend(publicActions)
    .extend(preconfirmationActions())
    .extend(testActions())
