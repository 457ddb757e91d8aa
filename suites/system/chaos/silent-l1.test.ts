import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpRpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { CHEAT_TABLE } from '#devnet/l2/node/rpc/cheats/cheat-table'
import { METHOD_TABLE } from '#devnet/l2/node/rpc/method-table'
import { proofRequestJson } from '#devnet/proving/prover/proof-json'
import { type Devnet, startDevnet } from '#devnet/start-devnet'

/** L1's process is there and says nothing: nobody waits for it longer than the limit. */

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ l1SilenceLimit: 500, logLevel: 'silent' })
  process.kill(devnet.l1.pid, 'SIGSTOP')
  // The system stops it when it next looks at it; until then it answers.
  while ((await ask(devnet.description.l1RpcUrl, 'eth_blockNumber')) !== SILENT);
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

const SOME_HASH = `0x${'5b'.repeat(32)}` as const
const SILENT = 'L1 does not answer: anvil has said nothing for 0.5 s.'

test('given an L1 that is stopped, then every server answers within the limit, and names it where it needs it', async () => {
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
  const request = proofRequestJson({
    ...{ l1Head: SOME_HASH, l1HeadNumber: 1n, agreedL2HeadHash: SOME_HASH },
    ...{ agreedL2OutputRoot: SOME_HASH, claimedL2OutputRoot: SOME_HASH, claimedL2BlockNumber: 1n },
    ...{ proposer: `0x${'11'.repeat(20)}`, intermediateBlockInterval: 1n, imageHash: SOME_HASH },
  })
  expect(await ask(proverUrl, 'prover_prove', [request])).toMatch(
    /^L1 RPC failed for signer 0x\w{40}: eth_call: L1 does not answer: anvil has said nothing for 0\.5 s\.$/,
  )
  expect(await ask(proverUrl, 'enclave_signerPublicKey')).toHaveLength(1)
  for (const method of ['eth_blockNumber', 'eth_gasPrice', 'anvil_dumpState'])
    expect(await ask(rpcUrl, method)).toMatch(/^0x/)
  for (const page of ['', 'devnet.json', 'data/actors.json', 'data/roles.json', 'data/proofs.json'])
    expect((await fetch(new URL(page, dashboardUrl))).status).toBe(200)
  expect((await fetch(new URL('/openapi.json', apiUrl))).status).toBe(200)
  for (const url of [rpcUrl, rollupRpcUrl, l1RpcUrl, apiUrl, dashboardUrl])
    expect((await fetch(new URL('/healthz', url))).status).toBe(200)
  // Whether it was ready before L1 fell silent is another matter (HOST-HEALTH-03).
  expect([200, 500]).toContain((await fetch(new URL('/healthz', proverUrl))).status)
  await everyMethodAnswers(rpcUrl)
  // L2 goes on, and is changed, without it.
  expect(await ask(rpcUrl, 'anvil_mine', ['0x1'])).toBe(null)
})

/** Without parameters, which most refuse: none may wait for L1 before it says so. */
async function everyMethodAnswers(rpcUrl: string): Promise<void> {
  const names = [...Object.keys(METHOD_TABLE), ...Object.keys(CHEAT_TABLE)]
  const batch = names.map((method, id) => ({
    ...{ jsonrpc: '2.0', id },
    ...{ method, params: [] },
  }))
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(batch),
  })
  const replies = (await answer.json()) as { id: number; error?: { code: number } }[]
  expect(replies.map(({ id }) => id)).toEqual(names.map((_, id) => id))
  // -32016: it had its time, and said nothing.
  for (const { id, error } of replies) expect([names[id], error?.code]).not.toContain(-32016)
}
