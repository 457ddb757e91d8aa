import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { rollupConfigJson } from '#devnet/l2/rollup-rpc/rollup-config-json'
import { knownChains } from '#devnet/proving/prover/known-chains'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import { whatToJudge } from './what-to-judge.ts'

/** Any that an enclave can know: its rollup config is what a devnet would tell. */
const [CHAIN] = [...knownChains.values()] as [RollupConfig]

let folder: string
let server: Server
let rpcUrl: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollbed-judge-'))
  await mkdir(join(folder, '.rollbed'))
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  server = createServer((request, response) => {
    const result = request.url === '/rollup' ? rollupConfigJson(CHAIN) : '0x1'
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const description = {
    rpcUrl,
    wsUrl: rpcUrl.replace('http', 'ws'),
    apiUrl: `${rpcUrl}/api`,
    l1RpcUrl: `${rpcUrl}/l1`,
    l1BeaconUrl: `${rpcUrl}/beacon`,
    rollupRpcUrl: `${rpcUrl}/rollup`,
    proverUrl: `${rpcUrl}/prover`,
    enclaves: [{ endpoint: 'unix:/tmp/vsock:8000' }],
    contracts: { teeVerifier: '0x4b7f7f55c7ebad5b17e3e11a3efbef5d9ed1a2f3' },
    profile: 'base',
  }
  await writeFile(join(folder, '.rollbed/devnet.json'), JSON.stringify(description))
})
afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

const WHOLE = [
  'api',
  'enclave',
  'enclaveCommand',
  'host',
  'l1',
  'l1Beacon',
  'localEnclaveCommand',
  'prover',
  'rpc',
  'teeVerifier',
  'ws',
]
const names = async (flags: Parameters<typeof whatToJudge>[0]) =>
  Object.keys((await whatToJudge(flags)).targets).toSorted()

describe('given a devnet in this folder', () => {
  test('when nothing is asked for, then all of it is judged, by its own driver and profile', async () => {
    expect(await names({})).toEqual(WHOLE)
    expect(await whatToJudge({})).toMatchObject({ driverName: 'devnet', profile: 'base' })
  })

  test.each([
    [{ host: 'devnet' }, WHOLE],
    [{ host: 'devnet', proposer: 'devnet' }, [...WHOLE, 'proposer'].toSorted()],
    [{ proposer: './mine', client: './listen' }, [...WHOLE, 'client', 'proposer'].toSorted()],
    [{ host: './my-host', enclaveCommand: './my-enclave' }, WHOLE],
  ])(
    'when %j is asked for without a URL, then it is judged beside the rest',
    async (flags, all) => {
      expect(await names(flags)).toEqual(all)
      const { targets, driverName } = await whatToJudge(flags)
      expect(driverName).toBe('devnet')
      for (const [name, command] of Object.entries(flags))
        if (command !== 'devnet') expect(targets).toMatchObject({ [name]: command })
    },
  )

  test('when a URL is given, then what is given is judged and nothing else', async () => {
    const url = 'http://127.0.0.1:1'
    expect(await names({ rpc: url, proposer: './mine' })).toEqual(['proposer', 'rpc'])
    expect(await whatToJudge({ rpc: url })).toMatchObject({
      driverName: undefined,
      profile: 'spec',
    })
  })

  test('when it ended and left its description, then commands are judged alone', async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(await names({ proposer: './mine' })).toEqual(['proposer'])
  })
})

describe('given no devnet in this folder', () => {
  beforeEach(() => rm(join(folder, '.rollbed'), { recursive: true }))

  test('when a client of ours is asked for, then it says that there is none', async () => {
    await expect(whatToJudge({ client: 'devnet' })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('--client'),
    })
  })

  test('when a caller is asked for, then it is judged alone, in a world of its own', async () => {
    expect(await names({ challenger: './mine' })).toEqual(['challenger'])
  })

  test.each([{}, { host: 'devnet' }])(
    'when %j is asked for, then it says that there is none',
    async (flags) => {
      await expect(whatToJudge(flags)).rejects.toMatchObject({ code: 'NO_DEVNET' })
    },
  )
})
