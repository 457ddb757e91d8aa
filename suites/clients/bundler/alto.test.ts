import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  serializeSignature,
} from 'viem'
import {
  createBundlerClient,
  entryPoint07Abi,
  entryPoint07Address,
  type SmartAccount,
  toPackedUserOperation,
  toSmartAccount,
} from 'viem/account-abstraction'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest'
import type { ValidationFrame } from '#devnet/l2/node/rpc/traces/erc7562-tracer'
import { preconfirmationActions, rollbedChain, testActions } from '#devnet/sdk/viem/index'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { lane } from '#suites/lane'
import { compileOwnedAccount } from './compile-owned-account.ts'
import { type Alto, startAlto } from './start-alto.ts'

const test = anyTest.skipIf(!lane('clients').isInstalled)

const START = 240_000
const NOBODY = '0x000000000000000000000000000000000000bEEF'
const OWNER: Hex = `0x${'0b'.repeat(32)}`
const FUNDS = 10n ** 18n

describe.each(['/plain', '/base'])('given alto in front of %s', (path) => {
  let devnet: Devnet
  let alto: Alto
  let account: SmartAccount
  const rpcUrl = () => `${devnet.description.rpcUrl}${path}`
  const chain = () => rollbedChain(devnet.description)
  const client = () => createPublicClient({ chain: chain(), transport: http(rpcUrl()) })
  const bundler = () =>
    createBundlerClient({
      account,
      client: client(),
      transport: http(alto.url),
      pollingInterval: 100,
      userOperation: { estimateFeesPerGas: async () => await gasPrice() },
    })

  /**
   * Once `latest` has it: alto, and viem for the nonce of an account, read there, and at `/base` a receipt
   * comes before its block.
   */
  const sealed = (hash: Hex) => client().extend(preconfirmationActions()).waitUntilSealed({ hash })

  async function gasPrice() {
    const response = await fetch(alto.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"pimlico_getUserOperationGasPrice","params":[]}',
    })
    const { result } = (await response.json()) as { result: { fast: Record<string, Hex> } }
    const { maxFeePerGas, maxPriorityFeePerGas } = result.fast
    return {
      maxFeePerGas: BigInt(maxFeePerGas!),
      maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas!),
    }
  }

  beforeAll(async () => {
    devnet = await startDevnet({ enclaves: 0, blockTime: 1, l1BlockTime: 1 })
    const keys = devnet.description.accounts
    const start = () =>
      startAlto(rpcUrl(), entryPoint07Address, {
        executor: keys[1]!.privateKey,
        utility: keys[2]!.privateKey,
      })
    const address = await deployAccount(keys[3]!.privateKey)
    // At /base its first start may end: it misses at `latest` what it has just deployed. With the next block it is there.
    alto = await start().catch(async () => {
      await client().extend(testActions()).seal()
      return await start()
    })
    await client().extend(testActions()).seal()
    account = await smartAccount(address)
  }, START)
  afterAll(async () => {
    await alto?.stop()
    await devnet?.stop()
  })

  async function deployAccount(privateKey: Hex): Promise<Hex> {
    const { abi, bytecode } = compileOwnedAccount()
    const wallet = createWalletClient({
      account: privateKeyToAccount(privateKey),
      chain: chain(),
      transport: http(rpcUrl()),
    })
    const owner = privateKeyToAccount(OWNER).address
    const args = [entryPoint07Address, owner]
    const hash = await wallet.deployContract({ abi, bytecode, args, value: FUNDS })
    const { contractAddress } = await sealed(hash)
    return contractAddress!
  }

  function smartAccount(address: Hex): Promise<SmartAccount> {
    const { abi } = compileOwnedAccount()
    const signHash = async (hash: Hex) =>
      serializeSignature(await sign({ hash, privateKey: OWNER }))
    const notAsked = async (): Promise<Hex> => {
      throw new Error('Nobody asks this account to sign a message.')
    }
    return toSmartAccount({
      client: client(),
      entryPoint: { abi: entryPoint07Abi, address: entryPoint07Address, version: '0.7' },
      getAddress: async () => address,
      getFactoryArgs: async () => ({ factory: undefined, factoryData: undefined }),
      encodeCalls: async ([call]) =>
        encodeFunctionData({
          abi,
          functionName: 'execute',
          args: [call!.to, call!.value ?? 0n, call!.data ?? '0x'],
        }),
      getStubSignature: () => signHash(`0x${'11'.repeat(32)}`),
      signMessage: notAsked,
      signTypedData: notAsked,
      async signUserOperation(operation) {
        const { chainId: _, ...rest } = { ...operation, sender: address }
        return signHash(await userOperationHash(rest as never))
      },
    })
  }

  /** As the entry point itself says it. */
  function userOperationHash(operation: Parameters<typeof toPackedUserOperation>[0]): Promise<Hex> {
    return client().readContract({
      abi: entryPoint07Abi,
      address: entryPoint07Address,
      functionName: 'getUserOpHash',
      args: [toPackedUserOperation({ ...operation, signature: '0x' })],
    })
  }

  test('when an account sends two operations, each after the block of the one before, then both are bundled and paid for', async () => {
    for (const value of [5n, 6n]) {
      const hash = await bundler().sendUserOperation({ calls: [{ to: NOBODY, value }] })
      const { success, receipt, actualGasCost } = await bundler().waitForUserOperationReceipt({
        hash,
      })
      expect(success).toBe(true)
      expect(receipt.to).toBe(entryPoint07Address)
      expect(actualGasCost).toBeGreaterThan(0n)
      await sealed(receipt.transactionHash)
    }
    expect(await client().getBalance({ address: NOBODY })).toBe(11n)
  })

  test('given an operation that somebody else signed, when it is sent, then alto refuses it', async () => {
    const operation = await bundler().prepareUserOperation({ calls: [{ to: NOBODY, value: 1n }] })
    const hash = await userOperationHash(operation as never)
    const signature = serializeSignature(await sign({ hash, privateKey: `0x${'0c'.repeat(32)}` }))
    const sent = bundler().sendUserOperation({ ...operation, signature } as never)
    await expect(sent).rejects.toThrow(/signature/i)
  })

  test('given an operation, when its bundle is traced as a bundler would, then validation touches only what is the account’s own', async () => {
    const operation = await bundler().prepareUserOperation({ calls: [{ to: NOBODY, value: 1n }] })
    const signature = await account.signUserOperation(operation as never)
    const packed = toPackedUserOperation({ ...operation, signature } as never)
    const data = encodeFunctionData({
      abi: entryPoint07Abi,
      functionName: 'handleOps',
      args: [[packed], NOBODY],
    })
    const root = (await client().request({
      method: 'debug_traceCall',
      params: [
        { from: NOBODY, to: entryPoint07Address, data },
        'latest',
        { tracer: 'erc7562Tracer' },
      ],
    } as never)) as ValidationFrame
    const validated = root.calls!.find(({ to }) => to === account.address.toLowerCase())!
    expect(validated.input.slice(0, 10)).toBe('0x19822f7c')
    // The slot of its owner, the first, and nothing by an opcode that ERC-7562 forbids.
    expect(Object.keys(validated.accessedSlots.reads)).toEqual([`0x${'0'.repeat(64)}`])
    expect(validated.accessedSlots.writes).toEqual({})
    const forbidden = [
      '0x40',
      '0x41',
      '0x42',
      '0x43',
      '0x44',
      '0x45',
      '0x48',
      '0x3a',
      '0x32',
      '0xf0',
      '0xff',
    ]
    expect(forbidden.filter((opcode) => opcode in validated.usedOpcodes)).toEqual([])
    expect(root.keccak!.length).toBeGreaterThan(0)
  })
})
