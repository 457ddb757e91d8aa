import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRunFolder } from '#devnet/base/process/run-folder'
import { AnvilProcess } from '../anvil-process.ts'
import { ANVIL_METHODS } from './anvil-methods.ts'
import { IpcClient } from './ipc-client.ts'

/** An anvil that is asked both ways. */

const folder = makeRunFolder()
const path = join(folder, 'anvil.sock')
const anvil = new AnvilProcess({ port: 0, ipc: path, noMining: true, noRequestSizeLimit: true })
const client = new IpcClient(path)
beforeAll(() => anvil.start())
afterAll(async () => {
  await client.stop()
  await anvil.stop()
  rmSync(folder, { recursive: true })
})

async function overHttp(message: unknown) {
  const answer = await fetch(`http://127.0.0.1:${anvil.port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  })
  return (await answer.json()) as { id: number; error?: { code: number } }
}

const call = (id: number, method: string, params: unknown = []) => ({
  ...{ jsonrpc: '2.0', id },
  ...{ method, params },
})
const codes = (answers: readonly { id: number; error?: { code: number } }[]) =>
  answers.map(({ id, error }) => [id, error?.code])

test('given each method that we know of anvil, and some that it lacks, with parameters it cannot take, then its socket gives the codes of HTTP', async () => {
  const methods = [...ANVIL_METHODS, 'eth_nope', 'anvil_', 'engine_newPayloadV4']
  // No method takes parameters by such a name. One after another: what takes none acts, and an anvil
  // whose one batch mines and resets it stands still for ever, sometimes.
  const http = []
  const socket = []
  for (const [id, method] of methods.entries()) {
    const message = call(id, method, { 'no such name': 1 })
    http.push(await overHttp(message))
    socket.push(JSON.parse((await client.ask(JSON.stringify(message))).toString()))
  }
  const known = codes(http).filter(([, code]) => code !== -32601)
  expect(known).toHaveLength(ANVIL_METHODS.size)
  expect(codes(socket)).toEqual(codes(http))
})

test('given calls at once, long and short, then each has the answer that HTTP gives', async () => {
  const calls = [
    call(1, 'eth_chainId'),
    call(2, 'web3_sha3', [`0x${'5b'.repeat(700_000)}`]),
    call(3, 'eth_getBlockByNumber', ['latest', true]),
    call(4, 'eth_nope'),
    call(5, 'eth_getBalance', ['0x12']),
    call(6, 'eth_call', [{ to: `0x${'11'.repeat(20)}`, data: '0x' }, '0x99']),
  ]
  const asked = await Promise.all(calls.map((each) => client.ask(JSON.stringify(each))))
  const answers = asked.map((each) => JSON.parse(each.toString()))
  for (const [at, each] of calls.entries()) {
    const expected = await overHttp(each)
    if (expected.error) expect(answers[at].error.code).toBe(expected.error.code)
    else expect(answers[at]).toEqual(expected)
  }
})

test('given a call that is given up, then the next one has its own answer', async () => {
  const caller = new AbortController()
  const given = client.request('eth_chainId', [], caller.signal)
  caller.abort(new Error('enough'))
  await expect(given).rejects.toThrow('enough')
  expect(await client.request('net_version', [])).toBe('31337')
})
