import {
  createWalletClient,
  custom,
  type EIP1193Provider,
  type Hex,
  http,
  publicActions,
  TransactionReceiptNotFoundError,
  type Transport,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil as anvilChain } from 'viem/chains'
import { AnvilProcess } from '#devnet/l1/anvil-process'
import { askerInProcess } from '#devnet/rollup/start/asker-of'
import { type DevnetBranch, openBranch } from '#devnet/rollup/start/open-branch'
import { testScene } from '#devnet/sdk/scene/test-scene'
import { startDevnet } from '#devnet/start-devnet'
import { userKeys } from '#fixtures/chain/dev-keys'
import { lane } from '#suites/lane'

interface Sent {
  to?: Hex
  data: Hex
}

/** What one test works with; whatever it does is gone after `end`. */
export interface Isolated {
  /** Sends from the first account, gas and fees filled in, until the receipt is there. */
  send(transaction: Sent): Promise<{ status: string; contractAddress?: Hex | null | undefined }>
  /** On the newest state, pre-confirmed or sealed. */
  call(to: Hex, data: Hex): Promise<Hex>
  end(): Promise<void>
}

/** A chain on which tests run one after another, each as if alone. */
export interface TestChain {
  /** The chain that all tests start from, to deploy on. */
  ground: Isolated
  isolate(): Promise<Isolated>
  stop(): Promise<void>
}

export const account = privateKeyToAccount(userKeys[0]!.privateKey)

/** A devnet without enclaves, and a branch for each test with prompt flashblocks: what the fixtures do. */
export async function rollbedTests(): Promise<TestChain> {
  const devnet = await startDevnet({ enclaves: 0, logLevel: 'silent' })
  // Itself a branch, so that what is deployed is there at once.
  const ground = await devnet.branch('pending', { flashblocks: 'prompt' })
  const isolatedOn = (branch: DevnetBranch): Isolated => {
    const { wallet, close } = testScene(devnet.description, branch)
    return {
      send: (transaction) => wallet.sendAndPreconfirm(transaction),
      call: (to, data) => answerOf(wallet.call({ to, data, blockTag: 'pending' })),
      async end() {
        await close()
        await branch.drop()
      },
    }
  }
  const isolated = isolatedOn(ground)
  return {
    ground: isolated,
    isolate: async () => isolatedOn(await branchOf(ground)),
    async stop() {
      await isolated.end()
      await devnet.stop()
    },
  }
}

/** A branch of a branch, as the devnet itself makes one. */
function branchOf({ inProcess, rpcUrl }: DevnetBranch): Promise<DevnetBranch> {
  if (!inProcess) throw new Error('The devnet of a bench takes no faults.')
  const ask = askerInProcess(inProcess, new URL(rpcUrl).pathname)
  return openBranch(ask, undefined, {}, inProcess)
}

const answerOf = async (call: Promise<{ data?: Hex | undefined }>): Promise<Hex> =>
  (await call).data ?? '0x'

/** anvil with a block for each transaction, and a snapshot for each test. */
export async function anvilTests(): Promise<TestChain> {
  const anvil = new AnvilProcess({ port: 0 })
  await anvil.start()
  const transport = http(`http://127.0.0.1:${anvil.port}`)
  return withSnapshots(transport, () => anvil.stop())
}

/** What we use of Hardhat 3. */
interface Hardhat {
  createHardhatRuntimeEnvironment(config: object): Promise<{
    network: {
      connect(): Promise<{ provider: EIP1193Provider; close(): Promise<void> }>
    }
  }>
}

/** Hardhat's simulated network in this process, with a snapshot for each test. */
export async function hardhatTests(): Promise<TestChain> {
  const { createHardhatRuntimeEnvironment } =
    await lane('clients').load<Hardhat>('hardhat/dist/src/hre.js')
  const environment = await createHardhatRuntimeEnvironment({})
  const connection = await environment.network.connect()
  return withSnapshots(custom(connection.provider), () => connection.close())
}

function notThere(error: unknown): undefined {
  if (!(error instanceof TransactionReceiptNotFoundError)) throw error
}

function withSnapshots(transport: Transport, stop: () => Promise<void>): TestChain {
  const wallet = createWalletClient({ account, chain: anvilChain, transport }).extend(publicActions)
  const ask = (method: string, params: unknown[]) => wallet.request({ method, params } as never)
  const isolated: Omit<Isolated, 'end'> = {
    async send(transaction) {
      const hash = await wallet.sendTransaction(transaction)
      // anvil answers a send before its block is there.
      for (;;) {
        const receipt = await wallet.getTransactionReceipt({ hash }).catch(notThere)
        if (receipt) return receipt
      }
    },
    call: (to, data) => answerOf(wallet.call({ to, data })),
  }
  return {
    ground: { ...isolated, end: async () => {} },
    async isolate() {
      const snapshot = await ask('evm_snapshot', [])
      const end = async () => {
        await ask('evm_revert', [snapshot])
      }
      return { ...isolated, end }
    },
    stop,
  }
}
