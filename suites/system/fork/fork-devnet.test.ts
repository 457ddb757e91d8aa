import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseAbi,
  publicActions,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AnvilProcess } from '#devnet/l1/anvil-process'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { userKeys } from '#fixtures/chain/dev-keys'
import { loadContract } from '#fixtures/contracts/load-contract'
import { testTokenAbi } from '#fixtures/contracts/TestToken.abi'

const holder = (name: string) => `0x${keccak256(toHex(`holder ${name}`)).slice(26)}` as Address
const HOLDERS = Array.from({ length: 12 }, (_, n) => holder(String(n)))
/** Each is asked for by one test alone, which so makes the fork ask the other chain. */
const UNREAD = { base: holder('base'), branch: holder('branch'), moved: holder('moved') }
const MINTED = [...HOLDERS, ...Object.values(UNREAD)]
const minted = (address: Address) => BigInt(MINTED.indexOf(address)) * 10n ** 15n + 1n
const NOBODY: Address = '0x00000000000000000000000000000000000abcde'
const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

interface Remote {
  url: string
  seal(): Promise<unknown>
  stop(): Promise<void>
}

const remotes: Record<string, () => Promise<Remote>> = {
  async 'another devnet'() {
    const devnet = await startDevnet({ enclaves: 0, manual: true, chainId: 777_001 })
    return {
      url: devnet.description.rpcUrl,
      seal: async () => {
        await devnet.node.flashblock()
        await devnet.node.seal()
      },
      stop: () => devnet.stop(),
    }
  },
  async 'bare anvil'() {
    const anvil = new AnvilProcess({ port: 0, chainId: 777_002, noMining: true, accounts: 0 })
    await anvil.start()
    const url = `http://127.0.0.1:${anvil.port}`
    await ask(url, 'anvil_setBalance', userKeys[0]!.address, numberToHex(10n ** 20n))
    return { url, seal: () => ask(url, 'evm_mine'), stop: () => anvil.stop() }
  },
}

function ask<T = Hex>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const client = createPublicClient({ transport: http(url, { retryCount: 0, timeout: 60_000 }) })
  return client.request<{ Method: string; Parameters: unknown[]; ReturnType: T }>({
    method,
    params,
  })
}

function walletAt(url: string, id: number, key = 0) {
  const chain = defineChain({
    ...{ id, name: 'remote or fork', rpcUrls: { default: { http: [url] } } },
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  })
  const account = privateKeyToAccount(userKeys[key]!.privateKey)
  // One block is sealed where one is expected: nobody polls for it.
  return createWalletClient({ account, chain, transport: http(url) }).extend(publicActions)
}

/** Another URL of the same chain, which counts the calls that come that way. */
async function startWayTo(url: string) {
  let calls = 0
  const server = createServer(async (request, response) => {
    calls += 1
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: await text(request) })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe.each(Object.keys(remotes))('given a fork of %s', (kind) => {
  let remote: Remote
  let fork: Devnet
  let token: Address
  let mintHash: Hex
  let chainId: number
  let block: number
  const cache = mkdtempSync(join(tmpdir(), 'rollbed-fork-'))
  const url = () => fork.description.rpcUrl
  const at = (number: number | bigint) => numberToHex(number)
  const start = () =>
    startDevnet({ manual: true, fork: { url: remote.url, block, cache }, logLevel: 'silent' })
  const sealFork = async () => {
    await fork.node.flashblock()
    return fork.node.seal()
  }

  beforeAll(async () => {
    remote = await remotes[kind]!()
    chainId = Number(await ask(remote.url, 'eth_chainId'))
    const wallet = walletAt(remote.url, chainId)
    const { bytecode } = loadContract('TestToken')
    const made = await wallet.deployContract({
      ...{ abi: testTokenAbi, bytecode, args: ['Remote', 'REM', 1_000_000n], gas: 3_000_000n },
      ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
    })
    await remote.seal()
    const receipt = await ask<{ contractAddress: Address }>(
      remote.url,
      'eth_getTransactionReceipt',
      made,
    )
    token = receipt.contractAddress
    for (const [index, holder] of MINTED.entries()) {
      mintHash = await wallet.writeContract({
        ...{ abi: testTokenAbi, address: token, functionName: 'mint' },
        ...{ args: [holder, minted(holder)], gas: 200_000n, nonce: 1 + index },
        ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
      })
    }
    await remote.seal()
    block = Number(await ask(remote.url, 'eth_blockNumber'))
    // What the remote does after the block is not seen by the fork.
    await wallet.writeContract({
      ...{ abi: testTokenAbi, address: token, functionName: 'mint', args: [NOBODY, 5n] },
      ...{ gas: 200_000n, nonce: 1 + MINTED.length },
      ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
    })
    await remote.seal()
    fork = await start()
  })
  afterAll(async () => {
    await fork?.stop()
    await remote?.stop()
    rmSync(cache, { recursive: true, force: true })
  })

  const balanceOf = (where: string, id: number, holder: Address, number?: bigint) =>
    walletAt(where, id).readContract({
      ...{ abi: testTokenAbi, address: token, functionName: 'balanceOf', args: [holder] },
      ...(number !== undefined && { blockNumber: number }),
    })

  test('when it has begun, then it has the chain id of the other and its first block stands on the forked one', async () => {
    expect(Number(await ask(url(), 'eth_chainId'))).toBe(chainId)
    const first = await ask<{ parentHash: Hex; number: Hex }>(
      url(),
      'eth_getBlockByNumber',
      at(block + 1),
      false,
    )
    const forked = await ask<{ hash: Hex }>(remote.url, 'eth_getBlockByNumber', at(block), false)
    expect(first).toMatchObject({ number: at(block + 1), parentHash: forked.hash })
    expect(fork.description.enclaves).toEqual([])
  })

  test('when accounts, code, slots and calls are read, then they are what the other chain answers at that block', async () => {
    const slots = Array.from({ length: 4 }, (_, n) => numberToHex(n, { size: 32 }))
    const questions: [string, ...unknown[]][] = [
      ...[...HOLDERS, token, NOBODY, MULTICALL3].flatMap((each): [string, ...unknown[]][] => [
        ['eth_getTransactionCount', each],
        ['eth_getBalance', each],
      ]),
      ['eth_getCode', token],
      ...slots.map((slot): [string, ...unknown[]] => ['eth_getStorageAt', token, slot]),
    ]
    for (const [method, ...params] of questions.filter(([, each]) => each !== MULTICALL3)) {
      expect(await ask(url(), method, ...params, 'latest'), `${method} ${String(params)}`).toBe(
        await ask(remote.url, method, ...params, at(block)),
      )
    }
    for (const holder of [...HOLDERS, NOBODY]) {
      expect(await balanceOf(url(), chainId, holder)).toBe(
        await balanceOf(remote.url, chainId, holder, BigInt(block)),
      )
    }
  })

  test('when blocks, receipts and logs from before the fork are asked, then they are the other chain’s, and later ones of it are not there', async () => {
    const same = async (method: string, ...params: unknown[]) =>
      expect(await ask(url(), method, ...params), method).toEqual(
        await ask(remote.url, method, ...params),
      )
    await same('eth_getBlockByNumber', at(block), false)
    await same('eth_getTransactionReceipt', mintHash)
    await same('eth_getTransactionByHash', mintHash)
    const logs = { address: token, fromBlock: '0x0', toBlock: at(block) }
    await same('eth_getLogs', logs)
    const all = await ask<unknown[]>(url(), 'eth_getLogs', { ...logs, toBlock: 'latest' })
    expect(all).toHaveLength(MINTED.length + 1)
    const later = await ask<{ hash: Hex; transactions: Hex[] }>(
      remote.url,
      'eth_getBlockByNumber',
      at(block + 1),
      false,
    )
    expect(await ask(url(), 'eth_getBlockByHash', later.hash, false)).toBe(null)
    expect(await ask(url(), 'eth_getTransactionReceipt', later.transactions.at(-1))).toBe(null)
  })

  test('when a transaction moves tokens of the other chain, then the fork has them moved, the other chain not, and logs of both stand in one answer', async () => {
    const wallet = walletAt(url(), chainId)
    const before = await balanceOf(url(), chainId, HOLDERS[3]!)
    const hash = await wallet.writeContract({
      ...{ abi: testTokenAbi, address: token, functionName: 'transfer', args: [HOLDERS[3]!, 10n] },
      gas: 200_000n,
    })
    const { header } = await sealFork()
    const receipt = await ask<{ status: Hex }>(url(), 'eth_getTransactionReceipt', hash)
    expect(receipt.status).toBe('0x1')
    expect(await balanceOf(url(), chainId, HOLDERS[3]!)).toBe(before + 10n)
    expect(await balanceOf(remote.url, chainId, HOLDERS[3]!)).toBe(before)
    expect(await balanceOf(url(), chainId, HOLDERS[3]!, header.number - 1n)).toBe(before)
    const logs = await ask<{ blockNumber: Hex }[]>(url(), 'eth_getLogs', {
      ...{ address: token, fromBlock: '0x0', toBlock: 'latest' },
    })
    expect(logs).toHaveLength(MINTED.length + 2)
    expect(logs.at(-1)).toMatchObject({ blockNumber: numberToHex(header.number) })
  })

  test('when a slot of the other chain is set to zero, then it is zero, and reads at the block before still see it', async () => {
    const wallet = walletAt(url(), chainId)
    const abi = parseAbi(['function transfer(address,uint256) returns (bool)'])
    const whole = await balanceOf(url(), chainId, wallet.account.address)
    await wallet.writeContract({
      ...{ abi, address: token, functionName: 'transfer', args: [NOBODY, whole], gas: 200_000n },
    })
    const { header } = await sealFork()
    expect(await balanceOf(url(), chainId, wallet.account.address)).toBe(0n)
    expect(await balanceOf(url(), chainId, NOBODY)).toBe(whole)
    expect(await balanceOf(url(), chainId, wallet.account.address, header.number - 1n)).toBe(whole)
  })

  test('when a contract asks for hashes of blocks below the fork, then it has those of the other chain', async () => {
    const hashOf = async (number: number) =>
      (await ask<{ hash: Hex }>(remote.url, 'eth_getBlockByNumber', at(number), false)).hash
    const numbers = Array.from({ length: block + 1 }, (_, number) => number)
    const hashes = await Promise.all(numbers.map(hashOf))
    await using branch = await fork.branch()
    for (const path of [url(), `${url()}/base`, branch.rpcUrl]) {
      const seen = await Promise.all(
        numbers.map((number) => {
          // BLOCKHASH of the number, returned.
          const code = `0x61${number.toString(16).padStart(4, '0')}405f5260205ff3`
          return ask(path, 'eth_call', { to: NOBODY }, 'latest', { [NOBODY]: { code } })
        }),
      )
      expect(seen).toEqual(hashes)
    }
    // In a block: BLOCKHASH of the number, kept in slot 0 of what is created.
    const wallet = walletAt(url(), chainId)
    const data = `0x61${(block - 1).toString(16).padStart(4, '0')}405f5500` as const
    const hash = await wallet.sendTransaction({ data, gas: 200_000n })
    await sealFork()
    const receipt = await ask<{ contractAddress: Address; status: Hex }>(
      ...[url(), 'eth_getTransactionReceipt', hash],
    )
    expect(receipt.status).toBe('0x1')
    const kept = await ask(url(), 'eth_getStorageAt', receipt.contractAddress, '0x0', 'latest')
    expect(kept).toBe(hashes[block - 1])
  })

  test('when proofs or a dump are asked, then the answer names why a fork has none', async () => {
    for (const [method, ...params] of [
      ['eth_getProof', token, [], 'latest'],
      ['debug_executionWitness', 'latest'],
      ['anvil_dumpState'],
    ]) {
      await expect(ask(url(), method as string, ...params)).rejects.toThrow(/FORK_NOT_PROVABLE/)
    }
  })

  test('when what was not read yet is asked at /base and at a branch, then the other chain is asked for it', async () => {
    expect(await balanceOf(`${url()}/base`, chainId, UNREAD.base)).toBe(minted(UNREAD.base))
    await using branch = await fork.branch()
    expect(await balanceOf(branch.rpcUrl, chainId, UNREAD.branch)).toBe(minted(UNREAD.branch))
    const block = ['eth_getBlockByNumber', at(1), false] as const
    for (const path of [`${url()}/base`, branch.rpcUrl])
      expect(await ask(path, ...block)).toMatchObject({
        hash: (await ask<{ hash: Hex }>(remote.url, ...block)).hash,
      })
  })

  test('when it is told another URL of the other chain, then it asks there, and that of another chain is refused by name', async () => {
    await using way = await startWayTo(remote.url)
    await ask(url(), 'anvil_setRpcUrl', way.url)
    const before = way.calls()
    expect(await balanceOf(url(), chainId, UNREAD.moved)).toBe(minted(UNREAD.moved))
    expect(way.calls()).toBeGreaterThan(before)
    await ask(url(), 'anvil_setRpcUrl', remote.url)

    const { l1RpcUrl } = fork.description
    await expect(ask(url(), 'anvil_setRpcUrl', l1RpcUrl)).rejects.toThrow(/FORK_BLOCK_MISSING/)
    await expect(ask(url(), 'anvil_setRpcUrl', 'nowhere')).rejects.toMatchObject({
      cause: { code: -32602 },
    })
  })

  test('when it is reset, then what was done on the fork is gone and the other chain’s state is there', async () => {
    await ask(url(), 'anvil_reset')
    expect(Number(await ask(url(), 'eth_blockNumber'))).toBe(block + 1)
    expect(await balanceOf(url(), chainId, NOBODY)).toBe(0n)
    expect(await balanceOf(url(), chainId, HOLDERS[3]!)).toBe(minted(HOLDERS[3]!))
    const info = await ask<{ forkConfig: object }>(url(), 'anvil_nodeInfo')
    expect(info.forkConfig).toMatchObject({ forkBlockNumber: block })
  })

  // Once is enough: what is asked of the cache does not depend on who answered.
  test.runIf(kind === 'bare anvil')(
    'when it starts again with the other chain gone, then all that was read is there, what was not read is refused by name, and blocks go on',
    async () => {
      await fork.stop()
      await remote.stop()
      fork = await start()
      for (const holder of HOLDERS)
        expect(await balanceOf(url(), chainId, holder)).toBe(minted(holder))
      const wallet = walletAt(url(), chainId)
      const hash = await wallet.writeContract({
        ...{
          abi: testTokenAbi,
          address: token,
          functionName: 'transfer',
          args: [HOLDERS[3]!, 10n],
        },
        gas: 200_000n,
      })
      await sealFork()
      expect(await ask(url(), 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
      const unknown = `0x${'77'.repeat(20)}`
      await expect(ask(url(), 'eth_getBalance', unknown, 'latest')).rejects.toThrow(
        /FORK_REMOTE_UNREACHABLE/,
      )
      await sealFork()
    },
    60_000,
  )
})
