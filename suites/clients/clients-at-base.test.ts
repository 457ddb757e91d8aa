import {
  type Chain,
  concatHex,
  createPublicClient,
  type Hex,
  http,
  keccak256,
  padHex,
  type Transport,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getContractAddress, serializeErc6492Signature } from 'viem/utils'
import { afterAll, test as anyTest, beforeAll, expect, test } from 'vitest'
import { rollbedChain, testActions } from '#devnet/sdk/viem/index'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { lane } from '#suites/lane'

// What the table of devnet/docs/clients.md promises and no other test of this house shows. No block is sealed
// here: a client that has its receipt did not wait for one.
const laneTest = anyTest.skipIf(!lane('clients').isInstalled)

/** Arachnid's deterministic deployment proxy: a salt, then init code. */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
/** An account of ERC-1271 that accepts every signature: it returns 0x1626ba7e. */
const ACCEPTS_ALL = concatHex([
  ...['0x6f', '0x631626ba7e60e01b60005260206000f3', '0x6000526010', '0x6010f3'],
] as Hex[])

/** What we use of wagmi: its own types bring those of the browser, which this program has not. */
interface Wagmi {
  createConfig(options: { chains: Chain[]; transports: Record<number, Transport> }): object
}

interface WagmiActions {
  sendTransaction(config: object, request: object): Promise<Hex>
  waitForTransactionReceipt(config: object, request: { hash: Hex }): Promise<{ status: string }>
  getBalance(config: object, request: object): Promise<{ value: bigint }>
}

/** What we use of ethers 5. */
interface Ethers5 {
  providers: { JsonRpcProvider: new (url: string) => Provider5 }
  Wallet: new (
    privateKey: Hex,
    provider: Provider5,
  ) => {
    sendTransaction(request: object): Promise<{ wait(): Promise<{ status: number }> }>
  }
}

interface Provider5 {
  getBalance(address: string, tag: string): Promise<{ toString(): string }>
}

let devnet: Devnet
const chain = () => rollbedChain(devnet.description)
const client = () => createPublicClient({ chain: chain(), transport: http() })
const keyOf = (index: number) => devnet.description.accounts[index]!.privateKey
const stranger = () => privateKeyToAccount(generatePrivateKey()).address

beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0 })
  await client().extend(testActions()).pauseBlocks()
})
afterAll(() => devnet?.stop())

test('given wagmi, when it sends twice, then waitForTransactionReceipt has both pre-confirmations', async () => {
  const load = async <Module>(name: string) => (await import(name)) as Module
  const { createConfig } = await load<Wagmi>('wagmi')
  const { getBalance, sendTransaction, waitForTransactionReceipt } =
    await load<WagmiActions>('wagmi/actions')
  const config = createConfig({ chains: [chain()], transports: { [chain().id]: http() } })
  const account = privateKeyToAccount(keyOf(0))
  const to = stranger()
  for (const value of [1n, 2n]) {
    const hash = await sendTransaction(config, { account, to, value })
    expect(await waitForTransactionReceipt(config, { hash })).toMatchObject({ status: 'success' })
  }
  expect((await getBalance(config, { address: to, blockTag: 'pending' })).value).toBe(3n)
})

test('given a contract that is on no chain, when viem calls its code, then it answers', async () => {
  // What creates a contract that returns 42.
  const { data } = await client().call({
    code: '0x600a80600b6000396000f3602a60005260206000f3',
    data: '0x',
  })
  expect(BigInt(data!)).toBe(42n)
})

test('given an account that is not deployed yet, when it signs as ERC-6492 has it, then viem verifies it', async () => {
  const salt = padHex('0x7', { size: 32 })
  const address = getContractAddress({
    ...{ opcode: 'CREATE2', from: DEPLOYER, salt },
    bytecodeHash: keccak256(ACCEPTS_ALL),
  })
  expect(await client().getCode({ address })).toBeUndefined()
  const signature = serializeErc6492Signature({
    address: DEPLOYER,
    data: concatHex([salt, ACCEPTS_ALL]),
    signature: toHex(1, { size: 65 }),
  })
  const hash = keccak256('0x')
  expect(await client().verifyHash({ address, hash, signature })).toBe(true)
  expect(await client().verifyHash({ address: stranger(), hash, signature })).toBe(false)
})

laneTest(
  'given ethers 5, when it sends twice, then both arrive, and wait() has a pre-confirmation',
  async () => {
    const { ethers } = await lane('clients').load<{ ethers: Ethers5 }>('ethers-5/lib/index.js')
    const provider = new ethers.providers.JsonRpcProvider(devnet.description.baseRpcUrl)
    const wallet = new ethers.Wallet(keyOf(1), provider)
    const to = stranger()
    for (const value of [1, 2]) {
      const sent = await wallet.sendTransaction({ to, value })
      expect(await sent.wait()).toMatchObject({ status: 1 })
    }
    expect(String(await provider.getBalance(to, 'pending'))).toBe('3')
  },
)
