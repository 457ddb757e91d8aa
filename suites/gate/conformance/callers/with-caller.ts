import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Abi, decodeFunctionResult, encodeFunctionData, zeroHash } from 'viem'
import type { RpcCall } from '#mocks/index'
import { CaseFailure, cannotJudge, gateFault } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import type { CallerKind } from '../drivers/caller-world.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { poll } from '../poll.ts'
import { keccak256 } from '../spec/hash.ts'
import type { ProofRequestJson } from '../spec/proof-json.ts'
import type { Hex } from '../wire/hex.ts'
import { type ShellProcess, spawnShell } from '../wire/spawn-shell.ts'
import { turnsOf } from '../wire/turns-of.ts'
import { describeCall } from './describe-call.ts'
import { gameAbi } from './game-abi.ts'
import { AnswerLost, listenTo, type Spoilt } from './listen-to.ts'
import { type SentTransaction, transactionOf } from './sent-transaction.ts'
import { type Parity, STAND_IN, STAND_IN_PUBLIC_KEYS, signAgain } from './sign-again.ts'
import { StopInTurn } from './stop-in-turn.ts'
import type { AskedHost, NodeAnswers, WatchedCaller } from './watched-caller.ts'

/** A case with a world of its own may take so long, once it is its turn, in milliseconds. */
export const CALLER_TIMEOUT = 300_000
/** How long a caller may take for one thing, in milliseconds … */
const PATIENCE = 60_000
/** … or so many times what its world took to start: on a machine that is slow now, a caller is slow, too. */
const STARTS = 15
const LAST_LINES = 5
/** As nodes behind one address say it, of which one has not seen the newest block. */
const PASSING = { code: -32000, message: 'nonce too low' }
/** As most nodes say it, which do not fill in transactions: who sends has to ask for gas and nonce. */
const NO_SUCH_METHOD = { code: -32601, message: 'the method eth_fillTransaction does not exist' }
/** L1 has another image: it takes the signature for one of somebody whom nobody registered. */
const NO_LONGER_VALID = { imageHash: zeroHash, parity: 0 } as const
/** Each is a whole devnet, in most of which somebody waits: for L1's next block, or for the caller's own next look. */
export const WORLDS_AT_ONCE = 10

const inTurn = turnsOf(WORLDS_AT_ONCE)

/** What a caller is told beyond the description of its world, and otherwise. */
interface CallerSetting {
  env?: Readonly<Record<string, string>>
  /** Place of the account that comes first in its `devnet.json`, as the proposer's, and the other way round. */
  firstAccount?: number
}

/** Starts a world, and the caller in it when the case says so; both are gone afterwards. */
export function withCaller(
  t: CaseContext,
  kind: CallerKind,
  use: (caller: WatchedCaller) => Promise<void>,
  setting: CallerSetting = {},
): Promise<void> {
  return inTurn(() => watchCaller(t, kind, use, setting), t.limit)
}

async function watchCaller(
  t: CaseContext,
  kind: CallerKind,
  use: (caller: WatchedCaller) => Promise<void>,
  { env: environment = {}, firstAccount = 0 }: CallerSetting,
): Promise<void> {
  const { clock, signal } = t
  signal.throwIfAborted()
  await using resources = new StopInTurn()
  const command = t.targets[kind]!
  const { startCallerWorld } = t
  if (!startCallerWorld)
    cannotJudge('A caller is judged by `rollbed conform`, which plays its world.')
  const beginning = clock.now()
  const world = await startCallerWorld(kind, chainOf(t, kind)).catch((error: unknown) =>
    gateFault(`the world of the ${kind}`, error),
  )
  const patience = Math.max(PATIENCE, STARTS * (clock.now() - beginning))
  resources.defer(() => world[Symbol.asyncDispose]())
  const sent: SentTransaction[] = []
  const tried: SentTransaction[] = []
  const asked: AskedHost[] = []
  const begun: string[] = []
  const requests: ProofRequestJson[] = []
  const askedOfL1: string[] = []
  let isLosing = false
  let spoilt: Spoilt | undefined
  let held: { method: string; reached: boolean; open: Promise<void> } | undefined
  let isKept = false
  let isRefusing = false
  let standing: { reached: boolean; goOn: () => Promise<void> } | undefined
  let l1Open: Promise<void> | undefined
  let isSignerLost = false
  let standIn: { imageHash: Hex; parity: Parity } | undefined

  const { l1RpcUrl, proverUrl } = world.description
  const l1 = t.connectTo(l1RpcUrl)
  const noteTransaction = async (call: RpcCall, response: JsonObject) => {
    const found = await transactionOf(call, response)
    if (!found) return
    const { transaction, isSent } = found
    const described = describeCall(transaction)
    if (!isSent && !('call' in described && transaction.refusal)) return
    const { refusal } = transaction
    const request = { method: call.method, [isSent ? 'sent' : 'tried']: described }
    t.overhear(l1RpcUrl, request, { ...response, ...(refusal && { refusal }) })
    if (isSent) sent.push(transaction)
    else tried.push(transaction)
  }
  const noteMethod = ({ method }: RpcCall) => void begun.push(method)
  const l1Proxy = await listenTo(l1RpcUrl, t.clock, {
    begin: noteMethod,
    spoilt: () => spoilt,
    async answer(call) {
      await l1Open
      askedOfL1.push(JSON.stringify(call.params ?? []).toLowerCase())
      if (standing && call.method === 'eth_fillTransaction')
        return { jsonrpc: '2.0', id: call.id, error: NO_SUCH_METHOD }
      if (standing && call.method === 'eth_estimateGas' && call.params.length === 1) {
        const { body } = await l1.call(call.method, [...call.params, 'latest'])
        return { ...(body as JsonObject), id: call.id }
      }
      if (call.method !== 'eth_sendRawTransaction') return undefined
      if (isRefusing) return { jsonrpc: '2.0', id: call.id, error: PASSING }
      if (standing && !standing.reached) {
        standing.reached = true
        standing.goOn = await world.fault('chain:l1', 'still')
      }
      if (!isKept) return undefined
      const reply = { jsonrpc: '2.0', id: call.id, result: keccak256(call.params[0] as Hex) }
      await noteTransaction(call, reply)
      return reply
    },
    async hear(call, response) {
      await noteTransaction(call, response)
      const { result: hash } = response
      if (!isLosing || call.method !== 'eth_sendRawTransaction' || !hash) return response
      isLosing = false
      const receipt = async () =>
        (await l1.result('eth_getTransactionReceipt', [hash])) ?? undefined
      await poll({ clock, signal, every: 50, within: patience }, receipt)
      throw new AnswerLost()
    },
  })
  resources.defer(() => l1Proxy.stop())
  const answerOf = ({ method, params }: RpcCall, response: JsonObject): JsonObject => {
    if (!('result' in response)) return response
    if (standIn && method === 'enclave_signerPublicKey')
      return { ...response, result: STAND_IN_PUBLIC_KEYS }
    const { Tee } = (response.result ?? {}) as { Tee?: Parameters<typeof signAgain>[0] }
    const signer = isSignerLost ? NO_LONGER_VALID : standIn
    if (method !== 'prover_prove' || !Tee || !signer) return response
    isSignerLost = false
    const result = { Tee: signAgain(Tee, params[0] as ProofRequestJson, signer) }
    return { ...response, result }
  }
  const hostProxy =
    proverUrl &&
    (await listenTo(proverUrl, t.clock, {
      begin(call) {
        noteMethod(call)
        const { method, params = [] } = call
        if (method === 'prover_prove') requests.push(params[0] as ProofRequestJson)
      },
      spoilt: () => spoilt,
      async hear(call, truth) {
        const response = answerOf(call, truth)
        asked.push({ method: call.method, params: call.params, response })
        t.overhear(proverUrl, { method: call.method, params: call.params }, response)
        if (call.method === held?.method) {
          held.reached = true
          await held.open
        }
        return response
      },
    }))
  if (hostProxy) resources.defer(() => hostProxy.stop())

  let inStead: NodeAnswers = {}
  const listenToNode = async (node: keyof NodeAnswers, url: string) => {
    const proxy = await listenTo(url, t.clock, {
      ...(kind === 'client' && { begin: noteMethod }),
      async answer(call) {
        const said = await inStead[node]?.(call)
        return said && { jsonrpc: '2.0', id: call.id, ...said }
      },
      hear: async (_, response) => response,
    })
    resources.defer(() => proxy.stop())
    return proxy.url
  }
  const { rpcUrl, wsUrl, rollupRpcUrl } = world.description
  const nodes = kind !== 'registrar' && {
    rpcUrl: await listenToNode('l2', rpcUrl),
    ...(kind === 'client'
      ? { wsUrl: await listenToNode('l2', wsUrl) }
      : { rollupRpcUrl: await listenToNode('rollup', rollupRpcUrl) }),
  }

  const accounts = [...world.description.accounts]
  ;[accounts[0], accounts[firstAccount]] = [accounts[firstAccount]!, accounts[0]!]
  const describeIn = async (folder: string) => {
    const description = JSON.stringify({
      ...world.description,
      ...nodes,
      accounts,
      l1RpcUrl: l1Proxy.url,
      ...(hostProxy && { proverUrl: hostProxy.url }),
    })
    for (const file of ['devnet.json', '.rollbed/devnet.json'])
      await writeFile(join(folder, file), description)
  }
  const newFolder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'rollbed-caller-'))
    resources.defer(() => rm(made, { recursive: true, force: true }))
    await mkdir(join(made, '.rollbed'))
    await describeIn(made)
    return made
  }
  let folder = await newFolder()

  let running: ShellProcess | undefined
  let said = ''
  const start = () => {
    said = running?.output() ?? ''
    const env = {
      ...process.env,
      ...environment,
      DEVNET_JSON: join(folder, 'devnet.json'),
    } as Record<string, string>
    running = spawnShell(command, [], { signal, cwd: folder, env })
  }
  const end = async () => {
    running?.kill()
    await running?.ended
  }
  resources.defer(end)
  const blockNumber = async () => Number(await l1.result('eth_blockNumber', []))

  await use({
    world,
    isToday: chainOf(t, kind) === 'today',
    l1,
    l2: t.connectTo(world.description.rpcUrl),
    rollup: t.connectTo(world.description.rollupRpcUrl),
    asked,
    sent,
    tried,
    begun,
    requests,
    start,
    async forget() {
      await end()
      running = undefined
      for (const list of [asked, sent, tried, begun, requests, askedOfL1]) list.length = 0
      folder = await newFolder()
    },
    async changeAccounts() {
      await end()
      running = undefined
      accounts.push(accounts.shift()!)
      await describeIn(folder)
    },
    async signWith(parity) {
      standIn = { imageHash: standIn?.imageHash ?? (await world.admit(STAND_IN)), parity }
    },
    loseSigner: () => {
      isSignerLost = true
    },
    keepFromL1() {
      isKept = true
      return () => {
        isKept = false
      }
    },
    isKeptFromL1: () => isKept,
    refuseTransactions() {
      isRefusing = true
      return () => {
        isRefusing = false
      }
    },
    asksOfL1: (text) => askedOfL1.some((params) => params.includes(text)),
    holdL1() {
      const { promise, resolve } = Promise.withResolvers<void>()
      l1Open = promise
      return resolve
    },
    printed: () => objectsOf(running?.output() ?? ''),
    loseAnswer: () => {
      isLosing = true
    },
    standStillWithNext() {
      const mine = { reached: false, goOn: async () => {} }
      standing = mine
      return async () => {
        standing = undefined
        await mine.goOn()
      }
    },
    spoil(method, how) {
      const mine = { method, how }
      spoilt = mine
      return () => {
        if (spoilt === mine) spoilt = undefined
      }
    },
    async read(to, functionName, args) {
      // viem knows the arguments of one function, not of one among several.
      const of = { abi: gameAbi as Abi, functionName: functionName as string }
      const call = { to, data: encodeFunctionData({ ...of, args: args as readonly unknown[] }) }
      const data = (await l1.result('eth_call', [call, 'latest'])) as Hex
      return decodeFunctionResult({ ...of, data })
    },
    answerFor(nodes) {
      inStead = nodes
      return () => {
        inStead = {}
      }
    },
    hold(method) {
      const { promise: open, resolve: release } = Promise.withResolvers<void>()
      const mine = { method, reached: false, open }
      held = mine
      return {
        reached: () => mine.reached,
        release: () => {
          held = undefined
          release()
        },
      }
    },
    async until(what, look) {
      const found = await poll({ clock, signal, every: 50, within: patience }, async () => {
        const seen = await look()
        if (seen === undefined && running?.isOver()) start()
        return seen
      })
      if (found !== undefined) return found
      throw new CaseFailure({
        at: `the ${kind}`,
        expected: `${what}, within ${Math.round(patience / 1000)} s`,
        actual: lastLines(running?.output() || said) || 'nothing of the kind',
      })
    },
    async untilReady(what, look) {
      const found = await poll({ clock, signal, every: 50, within: patience }, look)
      if (found !== undefined) return found
      cannotJudge(`Its world did not come to this in ${Math.round(patience / 1000)} s: ${what}.`)
    },
    async untilOver(within) {
      await poll({ clock, signal, every: 100, within }, async () => running?.isOver() || undefined)
    },
    async untilQuiet(blocks = 3) {
      const end = (await blockNumber()) + blocks
      await poll({ clock, signal, every: 100, within: patience }, async () =>
        running?.isOver() || (await blockNumber()) >= end ? true : undefined,
      )
    },
  })
}

/** A registrar's calls are of the registry before Cobalt, a client's streams of the chain before Denim. */
function chainOf({ profile }: CaseContext, kind: CallerKind): 'today' | undefined {
  const hasToday = kind === 'proposer' || kind === 'challenger'
  return profile === 'today' && hasToday ? 'today' : undefined
}

/** Lines that are no JSON objects are for people. */
function objectsOf(output: string): JsonObject[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{') || !line.trimEnd().endsWith('}')) return []
    try {
      return [JSON.parse(line) as JsonObject]
    } catch {
      return []
    }
  })
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-LAST_LINES).join('\n')
}
