import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devnetTargets } from '#devnet/cli/devnet-targets'
import { type Devnet, startDevnet } from '#devnet/index'
import { systemClock } from '#protocol/clock/system-clock'
import { runConformance, selectCases } from '#suites/gate/conformance/index'

const CHAIN_ID = 4242

describe('given a devnet with a test network', () => {
  let devnet: Devnet
  beforeAll(async () => {
    // One time for both: nothing but the chain id may tell their first blocks apart.
    const genesisTime = 1_780_000_000
    devnet = await startDevnet({ enclaves: 0, chainId: CHAIN_ID, testnet: true, genesisTime })
  })
  afterAll(() => devnet?.stop())

  const clients = () => {
    const { rpcUrl, testnetRpcUrl } = devnet.description
    return [rpcUrl, testnetRpcUrl!].map((url) =>
      createPublicClient({ transport: http(url), pollingInterval: 100 }),
    )
  }

  test('then each has the chain id that was asked for, or the next', async () => {
    const ids = await Promise.all(clients().map((client) => client.getChainId()))
    expect(ids).toEqual([CHAIN_ID, CHAIN_ID + 1])
    expect(devnet.description.chainId).toBe(CHAIN_ID)
  })

  test('when a transaction is sent to the one, then the other knows nothing of it', async () => {
    const [main, other] = clients()
    const account = privateKeyToAccount(devnet.description.accounts[0]!.privateKey)
    const transport = http(devnet.description.testnetRpcUrl)
    const wallet = createWalletClient({ account, transport })
    const hash = await wallet.sendTransaction({ chain: null, to: account.address, value: 1n })

    await other!.waitForTransactionReceipt({ hash })
    await expect(main!.getTransaction({ hash })).rejects.toThrow('could not be found')
  })

  test('when it is judged, then the cases of the test network pass (RPC-ENV-16)', async () => {
    const run = await runConformance({
      targets: devnetTargets(devnet.description),
      cases: selectCases('RPC-ENV-16'),
      clock: systemClock,
    })
    expect(run.cases.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([
      ['rpc.envelope.testnet.01', 'pass', undefined],
      ['rpc.envelope.testnet.02', 'pass', undefined],
    ])
  })

  test('when the main network is given as the test network, then the gate notices (RPC-ENV-16)', async () => {
    const { rpcUrl } = devnet.description
    const run = await runConformance({
      targets: { rpc: rpcUrl, rpcTestnet: rpcUrl },
      cases: selectCases('rpc.envelope.testnet.02'),
      clock: systemClock,
    })
    expect(run.cases.map(({ verdict }) => verdict)).toEqual(['fail'])
  })
})
