import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { concat, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeSampleContracts } from './explorer/write-sample-contracts.ts'

/** A list of ten tasks, done by the tools of `rollbed mcp` alone, line by line as the protocol has it. */

const COMMAND = join(import.meta.dirname, '..', '..', 'devnet', 'cli', 'rollbed.sh')
const PAYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const POOR = `0x${'77'.repeat(20)}`

interface Answer {
  id: number
  result: { content: { text: string }[]; isError?: boolean; tools?: { name: string }[] }
}

let folder: string
let agent: ReturnType<typeof startAgent>
let contracts: ReturnType<typeof writeSampleContracts>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-mcp-'))
  contracts = writeSampleContracts(join(folder, 'out'))
  agent = startAgent()
  const hello = await agent.request('initialize', {
    ...{ protocolVersion: '2025-06-18', capabilities: {} },
    clientInfo: { name: 'a test', version: '1' },
  })
  expect(hello).toMatchObject({ serverInfo: { name: 'rollbed' } })
  agent.notify('notifications/initialized')
})
afterAll(async () => {
  expect(await agent.leave()).toBe(0)
  rmSync(folder, { recursive: true })
})

/** The wire by hand: one JSON-RPC message a line. */
function startAgent() {
  const child = spawn(COMMAND, ['mcp'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const waiting = new Map<number, (answer: Answer) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const answer = JSON.parse(line) as Answer
    waiting.get(answer.id)?.(answer)
  })
  let id = 0
  const write = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method: string, params: object): Promise<Answer['result']> => {
    id += 1
    const { promise, resolve } = Promise.withResolvers<Answer>()
    waiting.set(id, resolve)
    write({ id, method, params })
    return promise.then(({ result }) => result)
  }
  return {
    request,
    notify: (method: string) => write({ method }),
    async leave() {
      child.stdin.end()
      return ended
    },
  }
}

async function use(name: string, input: object = {}): Promise<never> {
  const { content, isError } = await agent.request('tools/call', { name, arguments: input })
  const answer = JSON.parse(content[0]!.text)
  if (isError) throw Object.assign(new Error(answer.error.message), answer.error)
  return answer as never
}

const pay = 'function pay(uint256 wanted) payable'
const entries = {
  signature: 'function entries(address) view returns (uint256)',
  args: [PAYER],
}

test('given an agent that said hello, then the tools are there with their effects', async () => {
  const { tools } = await agent.request('tools/list', {})
  const names = tools!.map(({ name }) => name)
  for (const name of ['start', 'stop', 'branch', 'send', 'read', 'trace', 'explain', 'conform']) {
    expect(names).toContain(name)
  }
  expect(tools!.find(({ name }) => name === 'trace')).toMatchObject({
    annotations: { readOnlyHint: true, destructiveHint: false },
  })
  await expect(use('status')).rejects.toMatchObject({ code: 'NO_DEVNET', hint: /start/ })
})

test('given ten tasks, then the tools alone do them', async () => {
  // 1. Given a start, then it listens on this machine alone, and a second one is refused.
  const description: Record<string, string> = await use('start', {
    ...{ artifacts: join(folder, 'out'), faults: true },
  })
  for (const [name, url] of Object.entries(description)) {
    if (name.endsWith('Url') && url) expect(new URL(url).hostname).toBe('127.0.0.1')
  }
  await expect(use('start')).rejects.toMatchObject({ code: 'DEVNET_RUNS' })

  // 2. Given a transfer, then the balance is there, pre-confirmed.
  expect(await use('send', { to: POOR, value: '12' })).toMatchObject({ status: '0x1' })
  expect(await use('read', { address: POOR })).toEqual({ balance: '12', nonce: 0, codeBytes: 0 })

  // 3. Given two creations, then the second calls the first.
  const first: { contractAddress: Hex } = await use('send', { data: contracts.Ledger.bytecode })
  const ledger = first.contractAddress
  const data = concat([contracts.Till.bytecode, `0x${ledger.slice(2).padStart(64, '0')}`])
  const second: { contractAddress: Hex } = await use('send', { data })
  const till = second.contractAddress
  expect(await use('read', { address: till })).toMatchObject({ nonce: 1 })

  // 4. Given a write by its signature, then a call reads what it wrote.
  const paid = { from: 1, to: till, value: '7', signature: pay, args: ['5'] }
  expect(await use('send', paid)).toMatchObject({ status: '0x1' })
  expect(await use('call', { to: ledger, ...entries })).toEqual({ result: '7' })
  const untyped = { signature: 'entries(address)', args: [PAYER] }
  expect(await use('call', { to: ledger, ...untyped })).toEqual({
    ...{ output: `0x${'7'.padStart(64, '0')}`, note: expect.stringContaining('returns') },
  })
  await expect(use('call', { to: POOR, ...entries })).rejects.toMatchObject({
    ...{ code: 'NO_CONTRACT', message: expect.stringContaining(POOR) },
  })

  // 5. Given a call that would fail, then it is refused, and sent only when told so.
  const underpaid = { from: 1, to: till, value: '1', signature: pay, args: ['9'] }
  await expect(use('send', underpaid)).rejects.toMatchObject({
    code: 'RPC_REFUSED',
    message: expect.stringContaining('TooLittle(1, 9)'),
  })
  const receipt: { transactionHash: Hex } = await use('send', { ...underpaid, letItFail: true })
  expect(receipt).toMatchObject({ status: '0x0' })
  const failed = receipt.transactionHash

  // 6. Given a failed transaction, then it is explained by the error of the contract.
  const input = encodeFunctionData({ abi: contracts.Till.abi, functionName: 'pay', args: [9n] })
  const explained: { path: object[] } = await use('explain', { hash: failed })
  expect(explained).toMatchObject({ outcome: 'reverted', why: 'TooLittle(1, 9)' })
  expect(explained.path).toMatchObject([{ to: till.toLowerCase(), selector: input.slice(0, 10) }])
  const unknown = `0x${'ab'.repeat(32)}`
  expect(await use('explain', { hash: unknown })).toMatchObject({ outcome: 'unknown' })

  // 7. Given a transaction, then its trace has the inner call.
  const paidAgain = { from: 1, to: till, value: '3', signature: pay, args: ['3'] }
  const { transactionHash }: { transactionHash: Hex } = await use('send', paidAgain)
  const root: { calls: object[] } = await use('trace', { hash: transactionHash })
  expect(root.calls).toMatchObject([{ to: ledger.toLowerCase(), type: 'CALL' }])

  // 8. Given a branch, then what is sent there is not on the chain.
  const made: { id: string } = await use('branch')
  const branch = made.id
  const paidThere = { from: 1, to: till, value: '100', signature: pay, args: ['1'] }
  await use('send', { ...paidThere, on: branch })
  expect(await use('call', { to: ledger, ...entries, on: branch })).toEqual({ result: '110' })
  expect(await use('call', { to: ledger, ...entries })).toEqual({ result: '10' })
  expect(await use('drop_branch', { id: branch })).toEqual({ dropped: true })
  // A number as status tells it.
  const early: { id: string } = await use('branch', { block: '0' })
  expect(await use('read', { address: till, on: early.id })).toMatchObject({ codeBytes: 0 })
  await expect(use('read', { address: till, on: branch })).rejects.toMatchObject({
    code: 'NO_SUCH_BRANCH',
  })

  // 9. Given a fault, then it is in force until it is cleared.
  const active: { id: number } = await use('inject_fault', {
    ...{ target: 'link:client-api', fault: 'down' },
  })
  expect(await use('faults')).toMatchObject({
    active: [{ id: active.id, target: 'link:client-api' }],
  })
  expect(await use('clear_faults', { id: active.id })).toEqual({ cleared: 1 })
  expect(await use('faults')).toMatchObject({ active: [] })

  // 10. Given the gate, then cases of one rule are judged, and a stop leaves nothing.
  const judged: { verdicts: Record<string, number> } = await use('conform', {
    only: 'RPC-PEND-01',
  })
  expect(judged).toMatchObject({ failed: [] })
  expect(judged.verdicts.pass).toBeGreaterThan(0)
  const { latest }: { latest: string } = await use('status')
  await use('pass_time', { seconds: 10 })
  const later: { latest: string } = await use('status')
  expect(Number(later.latest)).toBeGreaterThanOrEqual(Number(latest) + 5)
  await use('stop')
  await expect(use('status')).rejects.toMatchObject({ code: 'NO_DEVNET' })
})
