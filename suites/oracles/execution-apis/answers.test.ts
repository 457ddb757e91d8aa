import { hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Profile } from '#devnet/base/options/devnet-description'
import { DevAccounts } from '#devnet/l2/node/rpc/cheats/dev-accounts'
import { nodeMethods } from '#devnet/l2/node/rpc/node-methods'
import type { PROFILE_DIFFERENCES } from '#devnet/l2/node/rpc/profile-differences'
import { createInlineRunners } from '#devnet/l2/node/rpc/runners/create-inline-runners'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { systemClock } from '#protocol/clock/system-clock'
import { startVirtualNode, type VirtualNode } from '#suites/system/sequencer/virtual-node'
import { answerProblems, METHODS } from './answer-problems.ts'

const [ALICE, BOB, CAROL] = userKeys.map(({ privateKey }) => privateKeyToAccount(privateKey))
const chainId = l2ChainId
const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n, gas: 200_000n, chainId }
/** Init code that emits one log, of topic 1: PUSH1 1, PUSH0, PUSH0, LOG1, STOP. */
const LOGGING = '0x60015f5fa100'

let virtual: VirtualNode
const answer = {} as Record<
  Profile,
  (method: string, params: readonly unknown[]) => Promise<unknown>
>
/** Transaction hashes. */
const sealed: Record<string, string> = {}
let preconfirmed: string
let pooled: string

beforeAll(async () => {
  virtual = await startVirtualNode({ manual: true })
  const { chain, cheats } = virtual.node
  const config = { chainId: BigInt(chainId), fork: 'jovian' } as const
  const runners = await createInlineRunners(chain, config)
  for (const profile of ['spec', 'base'] as const) {
    const accounts = new DevAccounts(userKeys)
    const methods = nodeMethods({
      ...{ chain, config, ...runners, clock: virtual.clock, machine: systemClock, profile },
      cheats: { control: cheats, accounts },
    })
    answer[profile] = async (method, params) => {
      const result = await methods[method]!(params, { signal: new AbortController().signal })
      return JSON.parse(JSON.stringify(result))
    }
  }
  const send = (raw: `0x${string}`) => chain.submit(hexToBytes(raw))
  const to = BOB!.address
  const legacy = { chainId, gas: 200_000n, gasPrice: 2_000_000_000n, to } as const
  const authorization = await CAROL!.signAuthorization({ address: to, chainId, nonce: 0 })
  const list = [{ address: to, storageKeys: [`0x${'01'.padStart(64, '0')}`] }] as const
  const signed = {
    legacy: { type: 'legacy', ...legacy, nonce: 0 },
    eip2930: { type: 'eip2930', ...legacy, accessList: list, nonce: 1 },
    eip1559: { type: 'eip1559', ...fees, to, nonce: 2 },
    eip7702: { type: 'eip7702', ...fees, to, authorizationList: [authorization], nonce: 3 },
    creation: { type: 'eip1559', ...fees, data: LOGGING, nonce: 4 },
  } as const
  for (const [kind, transaction] of Object.entries(signed)) {
    sealed[kind] = await send(await ALICE!.signTransaction(transaction))
  }
  for (let i = 0; i < 9; i++) await virtual.node.flashblock()
  await virtual.clock.advance(2_000)
  await virtual.node.seal()
  const block = chain.latest()
  sealed.deposit = block.transactions[0]!.hash
  expect(block.transactions.map(({ type }) => type)).toEqual([0x7e, 0, 1, 2, 4, 2])
  preconfirmed = await send(await ALICE!.signTransaction({ ...signed.creation, nonce: 5 }))
  await virtual.node.flashblock()
  pooled = await send(await ALICE!.signTransaction({ ...signed.eip1559, nonce: 6 }))
})

afterAll(() => virtual.node.stop())

const call = { from: BOB!.address, to: CAROL!.address }
const NOBODY = `0x${'77'.repeat(32)}`
const [HASH, SLOT] = ['<latest hash>', `0x${'00'.repeat(32)}`]

/** Where an answer may be otherwise than execution-apis says, by profile, and why. */
type Exceptions = Partial<
  Record<Profile, Record<string, keyof typeof PROFILE_DIFFERENCES | 'place'>>
>

/** `place`: what is pre-confirmed has no block yet, so that its hash, or its number too, is null. */
const pendingPlace: Exceptions = {
  spec: {
    'result.transactions[].blockHash': 'place',
    'result.transactions[].blockNumber': 'pendingIdentity',
    'result.number': 'pendingIdentity',
    'result.hash': 'pendingIdentity',
  },
  base: { 'result.transactions[].blockHash': 'place', 'result.size': 'pendingSize' },
}
const without = (part: string, exceptions: Exceptions): Exceptions =>
  Object.fromEntries(
    Object.entries(exceptions).map(([profile, paths]) => [
      profile,
      Object.fromEntries(Object.entries(paths).filter(([path]) => !path.includes(part))),
    ]),
  )
const onePlace: Exceptions = {
  spec: { 'result.blockHash': 'place', 'result.blockNumber': 'pendingIdentity' },
  base: { 'result.blockHash': 'place' },
}

const ASKED: readonly (readonly [string, () => readonly unknown[], Exceptions?])[] = [
  ...METHODS.filter((method) =>
    [
      ...[
        'eth_accounts',
        'eth_baseFee',
        'eth_blobBaseFee',
        'eth_blockNumber',
        'eth_chainId',
        'eth_gasPrice',
      ],
      ...['eth_maxPriorityFeePerGas', 'eth_syncing', 'net_version', 'web3_clientVersion'],
      ...['txpool_status', 'eth_newBlockFilter', 'eth_newPendingTransactionFilter'],
    ].includes(method),
  ).map((method) => [method, () => []] as const),
  ['eth_newFilter', () => [{}]],
  ['eth_uninstallFilter', () => ['0x1']],
  ...['latest', 'earliest', 'pending'].flatMap((tag) => [
    ['eth_call', () => [call, tag]] as const,
    ['eth_estimateGas', () => [call, tag]] as const,
    ['eth_getBalance', () => [call.to, tag]] as const,
    ['eth_getCode', () => [call.to, tag]] as const,
    ['eth_getStorageAt', () => [call.to, SLOT, tag]] as const,
    ['eth_getTransactionCount', () => [call.to, tag]] as const,
    ['eth_getBlockReceipts', () => [tag]] as const,
    ['eth_getBlockTransactionCountByNumber', () => [tag]] as const,
    ['eth_getUncleCountByBlockNumber', () => [tag]] as const,
    ['eth_createAccessList', () => [call, tag]] as const,
    ['debug_getRawHeader', () => [tag]] as const,
    ['debug_getRawBlock', () => [tag]] as const,
    ['debug_getRawReceipts', () => [tag]] as const,
    ['eth_getLogs', () => [{ fromBlock: 'earliest', toBlock: tag }]] as const,
    ['eth_feeHistory', () => [2, tag, [10, 50]]] as const,
    ['eth_feeHistory', () => ['0x2', tag]] as const,
    ['eth_getProof', () => [call.to, [SLOT], tag]] as const,
  ]),
  ...['latest', 'earliest', '0xffff'].flatMap((tag) =>
    [true, false].map((full) => ['eth_getBlockByNumber', () => [tag, full]] as const),
  ),
  ['eth_getBlockByNumber', () => ['pending', true], pendingPlace],
  ['eth_getBlockByNumber', () => ['pending', false], without('transactions', pendingPlace)],
  ['eth_getBlockByHash', () => [HASH, true]],
  ['eth_getBlockByHash', () => [NOBODY, true]],
  ['eth_getBlockTransactionCountByHash', () => [HASH]],
  ['eth_getUncleCountByBlockHash', () => [HASH]],
  ...['legacy', 'eip2930', 'eip1559', 'eip7702', 'creation', 'deposit'].flatMap((kind) => [
    ['eth_getTransactionByHash', () => [sealed[kind]]] as const,
    ['eth_getTransactionReceipt', () => [sealed[kind]]] as const,
    ['debug_getRawTransaction', () => [sealed[kind]]] as const,
  ]),
  ...[0, 1, 4, 9].flatMap((index) => [
    ['eth_getTransactionByBlockHashAndIndex', () => [HASH, `0x${index}`]] as const,
    ['eth_getTransactionByBlockNumberAndIndex', () => ['latest', `0x${index}`]] as const,
  ]),
  ['eth_getTransactionByBlockNumberAndIndex', () => ['pending', '0x1'], onePlace],
  ['eth_getTransactionByHash', () => [preconfirmed], onePlace],
  ['eth_getTransactionReceipt', () => [preconfirmed]],
  ['eth_getTransactionByHash', () => [pooled]],
  ['eth_getTransactionReceipt', () => [pooled]],
  ['eth_getTransactionByHash', () => [NOBODY]],
  ['eth_sign', () => [ALICE!.address, '0x1234']],
  ...[{}, { gasPrice: '0x77359400' }, { gasPrice: '0x77359400', accessList: [] }].map(
    (more) =>
      [
        'eth_signTransaction',
        () => [{ from: BOB!.address, to: CAROL!.address, ...more }],
        { base: { result: 'signedTransaction' } },
      ] as const,
  ),
  [
    'eth_simulateV1',
    () => [
      { blockStateCalls: [{ calls: [call, { from: call.from, data: LOGGING }] }, {}] },
      'latest',
    ],
  ],
  [
    'eth_simulateV1',
    () => [{ blockStateCalls: [{ calls: [{ from: call.from, data: '0xfe' }] }] }, 'latest'],
    { spec: { 'result[].calls[].error': 'simulateError' } },
  ],
  [
    'eth_simulateV1',
    () => [{ returnFullTransactions: true, blockStateCalls: [{ calls: [call] }] }, 'pending'],
  ],
]

describe.each(['spec', 'base'] as const)('the answers of profile %s', (profile) => {
  test.each(
    ASKED.map(([method, params, exceptions], index) => ({ method, params, exceptions, index })),
  )(
    'given $method ($index), then its answer is one that the schema and the facts allow',
    async ({ method, params, exceptions }) => {
      const latest = virtual.node.chain.latest().hash
      const asked = params().map((value) => (value === HASH ? latest : value))
      const found = answerProblems(method, await answer[profile](method, asked))
      const paths = [...new Set(found.map((line) => line.slice(0, line.indexOf(': '))))]
      const allowed = Object.keys(exceptions?.[profile] ?? {})
      // An exception that is not needed any more is a mistake, too.
      expect(paths.sort(), found.join('\n')).toEqual(allowed.sort())
    },
  )

  test('given filters, then they tell hashes and logs', async () => {
    const ask = answer[profile]
    const ids = [await ask('eth_newBlockFilter', []), await ask('eth_newFilter', [{}])]
    const all = await ask('eth_newFilter', [{ fromBlock: '0x1', toBlock: '0x1' }])
    const logs = (await ask('eth_getFilterLogs', [all])) as unknown[]
    expect(logs).toHaveLength(1)
    expect(answerProblems('eth_getFilterLogs', logs)).toEqual([])
    for (const id of ids) {
      const changes = await ask('eth_getFilterChanges', [id])
      expect(answerProblems('eth_getFilterChanges', changes)).toEqual([])
    }
  })
})

test('given a receipt with a member too many, one too few or a wrong kind, then each is told', async () => {
  const receipt = (await answer.spec('eth_getTransactionReceipt', [sealed.creation])) as object
  const problems = (change: object) =>
    answerProblems('eth_getTransactionReceipt', { ...receipt, ...change })
  expect(problems({})).toEqual([])
  expect(problems({ blockTimestamp: '0x1' })).toEqual(['result.blockTimestamp: is not known'])
  expect(problems({ gasUsed: undefined })).toEqual(['result.gasUsed: is missing'])
  expect(problems({ status: 1 })).toEqual(['result.status: is 1, not quantity'])
  expect(problems({ logs: [{ transactionHash: '0x' }] })).toEqual([
    'result.logs[].transactionHash: is "0x", not hash',
  ])
})

test('given the list of answers, then every method in it is asked', () => {
  const asked = new Set(ASKED.map(([method]) => method))
  const elsewhere = ['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_sendRawTransaction']
  expect(METHODS.filter((method) => !asked.has(method))).toEqual(
    [...elsewhere, 'eth_sendTransaction'].sort(),
  )
})
