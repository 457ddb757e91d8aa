import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  hashDomain,
  http,
  keccak256,
  parseAbi,
  zeroAddress,
} from 'viem'
import {
  entryPoint07Abi,
  entryPoint07Address,
  entryPoint08Address,
  getUserOperationHash,
} from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/index'
import { loadPreinstalls } from '#fixtures/preinstalls/load-preinstalls'

/**
 * Sources: the OP stack's table of preinstalls; @safe-global/safe-deployments 1.37.56; the README of CreateX
 * and Ignition's constant; code hashes of the entry points as on Ethereum and Base. Permit2 and the entry
 * point 0.8 hold the chain id, so each chain has another hash.
 */
const HASHES: Record<string, string> = {
  Multicall3: '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891',
  Create2Deployer: '0xb0550b5b431e30d38000efb7107aaa0ade03d48a7198a140edda9d27134468b2',
  SafeSingletonFactory: '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
  CreateX: '0xbd8a7ea8cfca7b4e5f5041d7d4b17bc317c5ce42cfbc42066a00cf26b43eb53f',
  'EntryPoint 0.6': '0xc93c806e738300b5357ecdc2e971d6438d34d8e4e17b99b758b1f9cac91c8e70',
  'SenderCreator 0.6': '0xae818091eaaf1b6175ee41472359a689f3823d0908a41e2e5c4ad508f2fc04a3',
  'EntryPoint 0.7': '0x8db5ff695839d655407cc8490bb7a5d82337a86a6b39c3f0258aa6c3b582fc58',
  'Safe 1.3.0': '0xbba688fbdb21ad2bb58bc320638b43d94e7d100f6f3ebaab0a4e4de6304b1c2e',
  'SafeL2 1.3.0': '0x21842597390c4c6e3c1239e434a682b054bd9548eee5e9b1d6a4482731023c0f',
  'MultiSend 1.3.0': '0x81db0e4afdf5178583537b58c5ad403bd47a4ac7f9bde2442ef3e341d433126a',
  'MultiSendCallOnly 1.3.0': '0xa9865ac2d9c7a1591619b188c4d88167b50df6cc0c5327fcbd1c8c75f7c066ad',
  'Safe 1.4.1': '0x1fe2df852ba3299d6534ef416eefa406e56ced995bca886ab7a553e6d0c5e1c4',
  'SafeL2 1.4.1': '0xb1f926978a0f44a2c0ec8fe822418ae969bd8c3f18d61e5103100339894f81ff',
  'SafeProxyFactory 1.4.1': '0x50c3cdc4074750a7a974204a716c999edd37482f907608d960b2b025ee0b3317',
  'MultiSend 1.4.1': '0x0e4f7fc66550a322d1e7688e181b75e217e662a4f3f4d6a29b22bc61217c4b77',
  'MultiSendCallOnly 1.4.1': '0xecd5bd14a08c5d2122379900b2f272bdf107a7e92423c10dd5fe3254386c9939',
  'CreateCall 1.4.1': '0x2b3060c55fcb8275653e99ad511a71f67ba76934ed66a7d74d6e68b52afff889',
  'CompatibilityFallbackHandler 1.4.1':
    '0x7c6007a5d711cea8dfd5d91f5940ec29c7f200fe511eb1fc1397b367af3c42f9',
  'SignMessageLib 1.4.1': '0x525c754a46b79e05543a59bb61e8de3c9eee0d955a59352409cbe67ea1077528',
  'SimulateTxAccessor 1.4.1': '0x91f82615581fc73b190b83d72e883608b25e392f72322035df1b13d51766cf8d',
}

test('given the code of a preinstall, then it is what stands on other chains', () => {
  const codes = new Map(loadPreinstalls().map(({ name, code }) => [name, code]))
  for (const [name, hash] of Object.entries(HASHES)) {
    expect([name, keccak256(codes.get(name)!)]).toEqual([name, hash])
  }
  const others = [...codes.keys()].filter((name) => !(name in HASHES))
  expect(others).toEqual(['Permit2', 'SenderCreator 0.7', 'EntryPoint 0.8', 'SenderCreator 0.8'])
})

describe('given a devnet', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ enclaves: 0, manual: true })
  })
  afterAll(() => devnet.stop())
  const chainOf = () =>
    ({
      id: devnet.description.chainId,
      name: 'rollbed',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [devnet.description.rpcUrl] } },
      contracts: { multicall3: { address: '0xca11bde05977b3631167028862be2a173976ca11' } },
    }) as const
  const clientOf = () => createPublicClient({ chain: chainOf(), transport: http() })

  test('then the code of each is at its address', async () => {
    const client = clientOf()
    for (const { address, code } of loadPreinstalls()) {
      expect(await client.getCode({ address })).toBe(code)
    }
  })

  test("then viem's multicall answers", async () => {
    const abi = parseAbi([
      'function getChainId() view returns (uint256)',
      'function getBlockNumber() view returns (uint256)',
    ])
    const address = chainOf().contracts.multicall3.address
    const answers = await clientOf().multicall({
      contracts: [
        { address, abi, functionName: 'getChainId' },
        { address, abi, functionName: 'getBlockNumber' },
      ],
      allowFailure: false,
    })
    expect(answers).toEqual([BigInt(devnet.description.chainId), 0n])
  })

  test('then Permit2 and the entry points hash for this chain, as viem works it out', async () => {
    const client = clientOf()
    const separator = await client.readContract({
      address: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
      abi: parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']),
      functionName: 'DOMAIN_SEPARATOR',
    })
    expect(separator).toBe(
      hashDomain({
        domain: {
          name: 'Permit2',
          chainId: BigInt(chainOf().id),
          verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
        },
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'chainId', type: 'uint256' },
            { name: 'verifyingContract', type: 'address' },
          ],
        },
      }),
    )
    const none: Hex = '0x'
    const ones: Hex = `0x${'1'.padStart(32, '0').repeat(2)}`
    const operation = {
      sender: zeroAddress,
      ...{ nonce: 1n, callData: none, signature: none },
      ...{ callGasLimit: 1n, verificationGasLimit: 1n, preVerificationGas: 1n },
      ...{ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
    } as const
    for (const [entryPointVersion, address] of [
      ['0.7', entryPoint07Address],
      ['0.8', entryPoint08Address],
    ] as const) {
      const packed = {
        ...{ sender: zeroAddress, nonce: 1n, initCode: none, callData: none },
        ...{ accountGasLimits: ones, preVerificationGas: 1n },
        ...{
          gasFees: ones,
          paymasterAndData: none,
          signature: none,
        },
      } as const
      const hash = await client.readContract({
        address,
        abi: entryPoint07Abi,
        functionName: 'getUserOpHash',
        args: [packed],
      })
      const expected = getUserOperationHash({
        chainId: chainOf().id,
        entryPointAddress: address,
        entryPointVersion,
        userOperation: operation,
      })
      expect([entryPointVersion, hash]).toEqual([entryPointVersion, expected])
    }
  })

  test('then a Safe is made by the factory', async () => {
    const account = privateKeyToAccount(devnet.description.accounts[0]!.privateKey)
    const wallet = createWalletClient({ account, chain: chainOf(), transport: http() })
    const initializer = encodeFunctionData({
      abi: parseAbi([
        'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address receiver)',
      ]),
      args: [
        [account.address],
        1n,
        zeroAddress,
        '0x',
        '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99',
        zeroAddress,
        0n,
        zeroAddress,
      ],
    })
    const factory = '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67'
    const abi = parseAbi([
      'function createProxyWithNonce(address singleton, bytes initializer, uint256 salt) returns (address)',
    ])
    const call = {
      address: factory,
      abi,
      functionName: 'createProxyWithNonce',
      args: ['0x41675C099F32341bf84BFc5382aF534df5C7461a', initializer, 0n],
    } as const
    const { result } = await clientOf().simulateContract({ ...call, account })
    await wallet.writeContract(call)
    await devnet.node.flashblock()
    const owners = await clientOf().readContract({
      address: result,
      abi: parseAbi(['function getOwners() view returns (address[])']),
      functionName: 'getOwners',
      blockTag: 'pending',
    })
    expect(owners).toEqual([account.address])
  })
})
