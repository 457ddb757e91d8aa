import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpRpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { type Devnet, startDevnet } from '#devnet/start-devnet'

/** L1's process is there and says nothing: nobody waits for it longer than the limit. */

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ l1SilenceLimit: 500, logLevel: 'silent' })
  process.kill(devnet.l1.pid, 'SIGSTOP')
})
afterAll(async () => {
  process.kill(devnet.l1.pid, 'SIGCONT')
  await devnet.stop()
})

/** The answer, or what was said instead. A request without an end is found by the time that a test has. */
async function ask(url: string, method: string, params: unknown[] = []): Promise<unknown> {
  return await httpRpcClient(url)
    .request(method, params)
    .catch((error) => (error instanceof RpcRefused ? error.rpcMessage : error.message))
}

const SILENT = 'L1 does not answer: anvil has said nothing for 0.5 s.'

test('given an L1 that is stopped, then every server answers within the limit, and names it where it needs it', {
  timeout: 60_000,
}, async () => {
  const { rpcUrl, rollupRpcUrl, l1RpcUrl, proverUrl, l1BeaconUrl, apiUrl, dashboardUrl } =
    devnet.description
  const answers = await Promise.all([
    ask(rollupRpcUrl, 'optimism_syncStatus'),
    ask(rollupRpcUrl, 'optimism_outputAtBlock', ['0x0']),
    ask(l1RpcUrl, 'eth_blockNumber'),
    ask(l1RpcUrl, 'eth_getBlockByNumber', ['latest', false]),
    ask(l1RpcUrl, 'evm_mine'),
  ])
  expect(answers).toEqual(answers.map(() => SILENT))
  const beacon = await fetch(`${l1BeaconUrl}/eth/v1/beacon/genesis`)
  expect([beacon.status, await beacon.json()]).toMatchObject([503, { error: { message: SILENT } }])
  expect(await ask(proverUrl, 'prover_prove', [{}])).toBe('Invalid params')
  expect(await ask(proverUrl, 'enclave_signerPublicKey')).toHaveLength(1)
  for (const method of ['eth_blockNumber', 'eth_gasPrice', 'anvil_dumpState'])
    expect(await ask(rpcUrl, method)).toMatch(/^0x/)
  for (const url of [rpcUrl, rollupRpcUrl, l1RpcUrl, apiUrl, dashboardUrl])
    expect((await fetch(new URL('/healthz', url))).status).toBe(200)
  // Whether it was ready before L1 fell silent is another matter (HOST-HEALTH-03).
  expect([200, 500]).toContain((await fetch(new URL('/healthz', proverUrl))).status)
  // L2 goes on, and is changed, without it.
  expect(await ask(rpcUrl, 'anvil_mine', ['0x1'])).toBe(null)
})
