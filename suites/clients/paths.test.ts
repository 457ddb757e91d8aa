import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createPublicClient, type Hex, http, parseEther } from 'viem'
import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest'
import { testActions } from '#devnet/sdk/viem/test-actions'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { type ContractName, loadContract } from '#fixtures/contracts/load-contract'
import { ROOT } from '#suites/house/docs/source-tree'
import { lane } from '#suites/lane'
import { castFor, foundryBinary } from './cast-for.ts'
import { connectHardhat, loadIgnition } from './connect-hardhat.ts'

// Each client, unmodified, at the path that devnet/docs/clients.md gives it.
const test = anyTest.skipIf(!lane('clients').isInstalled)

/** What we use of `web3`. */
interface Web3Module {
  Web3: new (
    url: string,
  ) => {
    defaultBlock: 'latest' | 'pending'
    eth: {
      accounts: { wallet: { add(privateKey: Hex): unknown } }
      getBalance(address: Hex): Promise<bigint>
      getTransactionCount(address: Hex): Promise<bigint>
      sendTransaction(request: object): Promise<{ status: bigint }>
    }
  }
}

const NOBODY = '0x000000000000000000000000000000000000bEEF'
const SOMEBODY = '0x00000000000000000000000000000000DeaDBeef'
const FORGE = 120_000

let devnet: Devnet
let plain: string
let base: string
let folder: string
let keyOf: (index: number) => { address: Hex; privateKey: Hex }
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0, blockTime: 1, l1BlockTime: 1 })
  plain = `${devnet.description.rpcUrl}/plain`
  base = devnet.description.baseRpcUrl
  keyOf = (index) => devnet.description.accounts[index]!
  folder = mkdtempSync(join(tmpdir(), 'rollbed-test-'))
  writeFileSync(join(folder, 'package.json'), '{"name":"scratch","type":"module"}')
  symlinkSync(join(lane('clients').folder, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  await devnet?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const client = () => createPublicClient({ transport: http(plain) })

/** What two sends in a row come to where both are within one block. */
async function withoutBlocks<T>(work: () => Promise<T>): Promise<T> {
  const test = createPublicClient({ transport: http(devnet.description.rpcUrl) }).extend(
    testActions(),
  )
  await test.pauseBlocks()
  try {
    return await work()
  } finally {
    await test.resumeBlocks({ seconds: 1 })
  }
}

test('given web3.js at /base that counts nonces at pending, when it sends twice in one block, then both arrive', async () => {
  const { Web3 } = await lane('clients').load<Web3Module>('web3/lib/esm/index.js')
  const web3 = new Web3(base)
  web3.defaultBlock = 'pending'
  const { address: from, privateKey } = keyOf(6)
  web3.eth.accounts.wallet.add(privateKey)
  const sent = await withoutBlocks(async () => {
    const statuses: bigint[] = []
    for (const value of ['1', '2']) {
      const { status } = await web3.eth.sendTransaction({ from, to: SOMEBODY, value, gas: 21_000 })
      statuses.push(status)
    }
    return statuses
  })
  expect(sent).toEqual([1n, 1n])
})

test('given cast at /base, when it is told the nonce at pending, then two sends in one block arrive', async () => {
  const { address, privateKey } = keyOf(7)
  const cast = castFor(base)
  await withoutBlocks(async () => {
    for (const value of ['1', '2']) {
      const nonce = await cast.print('nonce', address, '--block', 'pending')
      const access = ['--nonce', nonce, '--private-key', privateKey]
      await cast.print('send', SOMEBODY, '--value', value, ...access)
    }
  })
  expect(await cast.print('nonce', address, '--block', 'pending')).toBe('2')
})

test('given web3.js at /plain, when it sends twice, then both arrive', async () => {
  const { Web3 } = await lane('clients').load<Web3Module>('web3/lib/esm/index.js')
  const web3 = new Web3(plain)
  const { address: from, privateKey } = keyOf(1)
  web3.eth.accounts.wallet.add(privateKey)
  const before = await web3.eth.getBalance(NOBODY)
  for (const value of ['1', '2']) {
    const { status } = await web3.eth.sendTransaction({ from, to: NOBODY, value, gas: 21_000 })
    expect(status).toBe(1n)
  }
  expect((await web3.eth.getBalance(NOBODY)) - before).toBe(3n)
  expect(await web3.eth.getTransactionCount(from)).toBe(2n)
})

test('given cast at /plain and /base, when it sends twice, then both arrive and can be read', async () => {
  const { privateKey, address } = keyOf(2)
  for (const value of ['1', '2']) {
    await castFor(plain).print('send', NOBODY, '--value', value, '--private-key', privateKey)
  }
  const nonce = await castFor(`${devnet.description.rpcUrl}/base`).print('nonce', address)
  expect(nonce).toBe('2')
})

describe('given forge', () => {
  const forge = (...args: string[]) => {
    const env = { ...process.env, NO_COLOR: '1', FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' }
    const options = { cwd: folder, env, timeout: FORGE }
    return promisify(execFile)(foundryBinary('forge'), args, options)
  }

  beforeAll(() => {
    // forge would fetch a compiler; the one of npm speaks the same language.
    const solc = join(folder, 'solc')
    const solcjs = join(ROOT, 'node_modules/solc/solc.js')
    const run = `"${process.execPath}" "${solcjs}"`
    // It knows none of the flags about paths and needs none, as what it compiles comes whole; and it
    // says a sentence about solvers before its answer.
    writeFileSync(
      solc,
      `#!/bin/sh\ncase "$*" in *--version*) ${run} --version;; *) ${run} --standard-json | sed -n '/^{/,$p';; esac\n`,
    )
    chmodSync(solc, 0o755)
    const settings = [
      "src = 'src'",
      "script = 'script'",
      `solc = '${solc}'`,
      'offline = true',
      "evm_version = 'prague'",
    ]
    writeFileSync(join(folder, 'foundry.toml'), `[profile.default]\n${settings.join('\n')}\n`)
    mkdirSync(join(folder, 'src'))
    mkdirSync(join(folder, 'script'))
    writeFileSync(
      join(folder, 'src/Counter.sol'),
      'pragma solidity ^0.8.0; contract Counter { uint256 public number; function add() external { number += 1; } }',
    )
    writeFileSync(
      join(folder, 'script/Count.s.sol'),
      `pragma solidity ^0.8.0;
import {Counter} from "../src/Counter.sol";
interface Vm { function startBroadcast() external; function stopBroadcast() external; }
contract Count {
  Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  function run() external {
    vm.startBroadcast();
    Counter counter = new Counter();
    counter.add();
    counter.add();
    vm.stopBroadcast();
  }
}`,
    )
  })

  test.each([
    ['/plain', () => plain, 3],
    ['/base', () => base, 8],
  ] as const)(
    'when it creates a contract at %s, then its code is there',
    async (_, url, index) => {
      const { privateKey } = keyOf(index)
      const access = ['--rpc-url', url(), '--private-key', privateKey]
      const { stdout } = await forge(
        'create',
        'src/Counter.sol:Counter',
        '--broadcast',
        '--json',
        ...access,
      )
      const { deployedTo } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { deployedTo: Hex }
      const at = createPublicClient({ transport: http(base) })
      const code = await at.request({
        method: 'eth_getCode',
        params: [deployedTo, 'pending'],
      })
      expect(code).toMatch(/^0x60/)
    },
    FORGE,
  )

  test.each([
    ['/plain', () => plain, 4],
    ['/base', () => base, 9],
  ] as const)(
    'when a script sends three transactions at %s, then all of them arrive',
    async (_, url, index) => {
      const { privateKey, address } = keyOf(index)
      const access = ['--rpc-url', url(), '--private-key', privateKey]
      await forge('script', 'script/Count.s.sol:Count', '--broadcast', ...access)
      const at = createPublicClient({ transport: http(base) })
      expect(await at.getTransactionCount({ address, blockTag: 'pending' })).toBe(3)
    },
    FORGE,
  )
})

describe('given Hardhat 3', () => {
  const connect = (url: string, index: number) =>
    connectHardhat({ type: 'http', url, accounts: [keyOf(index).privateKey] }, folder)

  test.each([
    ['/plain', () => plain, 5],
    ['/base', () => base, 0],
  ] as const)(
    'when Ignition deploys a module at %s, then its contract answers',
    async (_, url, index) => {
      const { ignition } = await connect(url(), index)
      const name: ContractName = 'TestToken'
      const { abi, bytecode, deployedBytecode } = loadContract(name)
      const artifact = {
        ...{ _format: 'hh3-artifact-1', contractName: name, sourceName: `${name}.sol` },
        ...{ abi, bytecode, deployedBytecode, linkReferences: {}, deployedLinkReferences: {} },
      }
      const { buildModule } = await loadIgnition()
      const module = buildModule(`Token${index}`, (m) => ({
        token: m.contract(name, artifact, ['Ignited', 'IGN', 7n]),
      }))
      const { token } = await ignition.deploy(module)
      expect(await token.read.symbol()).toBe('IGN')
    },
    FORGE,
  )

  test('when its network helpers at /plain set a balance and mine, then the chain has both', async () => {
    const { networkHelpers } = await connect(plain, 5)
    await networkHelpers.setBalance(NOBODY, parseEther('5'))
    const before = await networkHelpers.time.latestBlock()
    await networkHelpers.mine(3)
    expect(await networkHelpers.time.latestBlock()).toBeGreaterThanOrEqual(before + 3)
    expect(await client().getBalance({ address: NOBODY })).toBe(parseEther('5'))
  })
})
