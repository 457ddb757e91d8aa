import { existsSync, readdirSync, readFileSync, readlinkSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, type Hex, http } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { Health } from '#devnet/base/process/supervisor'
import { keepDevnetFile } from '#devnet/cli/devnet-file'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { onEachBlockUntil } from '../end-to-end/on-each-block-until.ts'
import { isRunning, RollbedProcess } from '../end-to-end/rollbed-process.ts'

/** Parts of a devnet that die while it runs. */

let devnet: Devnet | undefined
afterEach(async () => {
  await devnet?.stop()
  devnet = undefined
})

const next = () => new Promise(setImmediate)
const get = async (url: string, path = '/healthz') => {
  const answer = await fetch(new URL(path, url))
  return { status: answer.status, json: (await answer.json()) as Partial<Health> }
}

/** Running processes that were started with a file of this folder. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder)
      } catch {
        return false
      }
    })
    .map(Number)
}

const allUrls = ({ description }: Devnet) => {
  const { rpcUrl, apiUrl, rollupRpcUrl, dashboardUrl, l1RpcUrl } = description
  return [rpcUrl, apiUrl, rollupRpcUrl, dashboardUrl, l1RpcUrl]
}

test('given enclaves, when all die, then every service says so at once, proofs name them, and they come back with new keys', async () => {
  devnet = await startDevnet({ enclaves: 2, logLevel: 'silent' })
  const { description, workDir } = devnet
  const prover = httpRpcClient(description.proverUrl)
  const before = description.enclaves.map(({ signer }) => signer)
  expect(await get(description.proverUrl)).toMatchObject({ status: 200 })
  for (const url of allUrls(devnet))
    expect(await get(url)).toEqual({ status: 200, json: { status: 'ok', dead: [], warnings: [] } })

  // As long as there is no image none comes back.
  const image = join(workDir, 'image')
  renameSync(image, `${image}-away`)
  for (const pid of processesOf(join(workDir, 'rollbed-'))) process.kill(pid, 'SIGKILL')
  while (devnet.health().dead.length < 2) await next()

  const dead = [
    expect.objectContaining({ part: 'enclave 16', problem: expect.stringContaining('SIGKILL') }),
    expect.objectContaining({ part: 'enclave 17' }),
  ]
  const health = expect.arrayContaining(dead)
  for (const url of allUrls(devnet))
    expect(await get(url)).toMatchObject({ status: 503, json: { status: 'dead', dead: health } })
  const metadata = await httpRpcClient(description.rpcUrl).request('anvil_metadata', [])
  expect((metadata as Health).dead).toEqual(health)
  // Readiness latches (HOST-HEALTH-03); being dead is told beside it.
  const { status, json } = await get(description.proverUrl)
  expect([status, json.dead]).toEqual([200, health])
  await expect(prover.request('enclave_signerPublicKey', [])).rejects.toThrow(
    /enclave 1[67] is dead/,
  )
  const genesis = await httpRpcClient(description.l1RpcUrl).request('eth_getBlockByNumber', [
    '0x0',
    false,
  ])
  const request = {
    l1_head: (genesis as { hash: string }).hash,
    agreed_l2_output_root: `0x${'11'.repeat(32)}`,
  }
  await expect(prover.request('prover_prove', [request])).rejects.toThrow(/enclave 1[67] is dead/)

  renameSync(`${image}-away`, image)
  while (devnet.health().dead.length > 0) await next()
  const keys = await prover.request('enclave_signerPublicKey', [])
  expect(keys).toHaveLength(2)
  const after = description.enclaves.map(({ signer }) => signer)
  for (const signer of after) expect(before).not.toContain(signer)
  expect((await get(description.proverUrl)).json).toEqual({ version: expect.any(String) })
})

test('given actors, when the enclave dies, then its description follows, the registrar registers the new key, and the next proof makes a game', async () => {
  devnet = await startDevnet({
    ...{ enclaves: 1, actors: true, manual: true },
    ...{ l1BlockTime: 1, batchInterval: 200, logLevel: 'silent' },
  })
  const { description, workDir } = devnet
  const file = join(workDir, 'devnet.json')
  const forget = keepDevnetFile(file, devnet)
  const inFile = () => JSON.parse(readFileSync(file, 'utf8')) as typeof description
  const l1 = createPublicClient({ transport: http(description.l1RpcUrl), pollingInterval: 100 })
  const registry = { address: description.contracts.teeProverRegistry, abi: teeProverRegistryAbi }
  const isValid = (signer: Hex) =>
    l1.readContract({ ...registry, functionName: 'isValidSigner', args: [signer] })
  const games = () =>
    l1.readContract({
      address: description.contracts.disputeGameFactory,
      abi: disputeGameFactoryAbi,
      functionName: 'gameCount',
    })
  const before = inFile().enclaves[0]!.signer
  await onEachBlockUntil(l1, () => isValid(before))

  const returned = new Promise<void>((resolve) => devnet!.onChange(resolve))
  for (const pid of processesOf(join(workDir, 'rollbed-'))) process.kill(pid, 'SIGKILL')
  await returned
  const after = inFile().enclaves[0]!.signer
  expect(after).not.toBe(before)
  const served = await httpRpcClient(description.rpcUrl).request('rollbed_description', [])
  expect(served).toEqual(inFile())
  await onEachBlockUntil(l1, () => isValid(after))

  expect(await games()).toBe(0n)
  for (let block = 0; block < 10; block += 1) await devnet.node.seal()
  await onEachBlockUntil(l1, async () => (await games()) > 0n)
  forget()
  expect(existsSync(file)).toBe(false)
})

test('given an L1, when it dies, then what needs it says so, and the devnet is lost', async () => {
  devnet = await startDevnet({ enclaves: 1, logLevel: 'silent' })
  const { description } = devnet
  process.kill(devnet.l1.pid, 'SIGKILL')
  const lost = await devnet.lost
  expect(lost.code).toBe('PART_LOST')
  expect(lost.message).toMatch(/^L1 \(process \d+\) is dead: anvil ended with SIGKILL\./)
  const name = /L1 is dead: anvil ended with SIGKILL/
  const l2 = httpRpcClient(description.rpcUrl)
  await expect(l2.request('eth_sendRawTransaction', ['0x02'])).rejects.toThrow(name)
  await expect(
    httpRpcClient(description.rollupRpcUrl).request('optimism_syncStatus', []),
  ).rejects.toThrow(name)
  await expect(httpRpcClient(description.proverUrl).request('prover_prove', [{}])).rejects.toThrow(
    name,
  )
  await expect(httpRpcClient(description.l1RpcUrl).request('eth_chainId', [])).rejects.toThrow(
    /L1 does not answer: anvil has ended/,
  )
  // What does not need it goes on.
  expect(await l2.request('eth_chainId', [])).toBe(`0x${description.chainId.toString(16)}`)
  for (const url of allUrls(devnet))
    expect(await get(url)).toMatchObject({ status: 503, json: { dead: [{ part: 'L1' }] } })
})

test('given `up`, when its L1 dies, then it ends with exit code 3, the reason and what to do', async () => {
  const rollbed = new RollbedProcess(['up', '--json', '--port-base', '0'])
  await rollbed.ready()
  const children = rollbed.descendants()
  const anvil = children.find((pid) => readlinkSync(`/proc/${pid}/exe`).endsWith('/anvil'))
  process.kill(anvil!, 'SIGKILL')
  const { exitCode, stderr } = await rollbed.outcome
  expect(exitCode).toBe(3)
  expect(stderr).toMatch(
    /PART_LOST: L1 \(process \d+\) is dead: anvil ended with SIGKILL\. .+\nStart the/,
  )
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(children.filter(isRunning)).toEqual([])
})
